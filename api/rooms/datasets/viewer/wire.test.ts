import { expect, test } from 'vitest'
import type { NamedFeature, ViewerPage } from '../../../../shared/viewer.ts'
import { buildApp } from '../../../app/app.ts'
import { eachDatabase, givenRepo, givenToken, givenUser, type World } from '../../../testing.ts'
import { givenExport, parquetOf } from './testing.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR4nGNgQAcAABIAAeRmRZ0AAAAASUVORK5CYII=',
  'base64',
)

eachDatabase('the viewer on the wire', (world) => {
  const appOf = ({ deps }: Pick<World, 'deps'>) =>
    buildApp(deps, { state: 'ready', check: async () => undefined })
  const signedIn = async (user: Parameters<typeof givenToken>[1]) => ({
    Authorization: `Bearer ${(await givenToken(world, user)).secret}`,
  })

  test('cells within a value have addresses of their own, with the names of the public viewer', async () => {
    const owner = await givenUser(world, 'nest')
    const image = (last: number) =>
      `{'bytes': '${[...pixel, last].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'::BLOB, 'path': NULL}`
    const features: NamedFeature[] = [
      { name: 'image', type: { _type: 'Image' } },
      { name: 'list', type: { _type: 'List', feature: { _type: 'Image' } } },
      { name: 'ü', type: { a: { _type: 'List', feature: { _type: 'Image' } } } },
      { name: 'deep', type: { 'ü "q"': { _type: 'List', feature: { b: { _type: 'Image' } } } } },
    ]
    const select = `SELECT ${image(0)} AS image, [${image(1)}] AS list, {'a': [${image(2)}, ${image(3)}]} AS "ü",
      {'ü "q"': [{'b': ${image(4)}}]} AS deep`
    const repo = await givenExport(world, owner, [{ files: [await parquetOf(select)], features }])
    const app = appOf(world)
    const headers = await signedIn(owner)
    const address = `/viewer-api/rows?dataset=${repo.ns}/${repo.name}&config=default&split=train`
    const { rows } = (await (await app.request(address, { headers })).json()) as ViewerPage
    const found = [...JSON.stringify(rows[0]?.row).matchAll(/"src":"([^"]+)"/g)].map(([, src = '']) => src)
    const names = found.map((src) => decodeURIComponent(new URL(src).pathname).split('/').slice(-2).join('/'))
    expect(names).toEqual([
      'image/image.png',
      'list/image-1d100e9.png',
      'ü/image-88b01da.png',
      'ü/image-88d01db.png',
      'deep/image-502805f2.png',
    ])
    for (const [i, src] of found.entries()) {
      const bytes = Buffer.from(await (await app.request(src)).arrayBuffer())
      expect(bytes).toEqual(Buffer.concat([pixel, Buffer.from([i])]))
      // The place within the value is signed as well.
      const elsewhere = src.includes('at=') ? src.replace(/at=[^&]+/, 'at=%5B0%5D') : `${src}&at=%5B0%5D`
      if (elsewhere !== src) expect((await app.request(elsewhere)).status).toBe(404)
    }
  })

  test('translations of several languages are their texts, which searches find', async () => {
    const owner = await givenUser(world, 'words')
    const features: NamedFeature[] = [
      { name: 't', type: { _type: 'TranslationVariableLanguages', languages: ['de', 'fr'] } },
    ]
    const select = `SELECT * FROM (VALUES ({'language': ['de', 'fr', 'fr'], 'translation': ['Katze', 'chat', 'minou']}),
      (NULL), ({'language': ['de'], 'translation': ['Hund']})) AS x(t)`
    const repo = await givenExport(world, owner, [{ files: [await parquetOf(select)], features }])
    const [app, headers] = [appOf(world), await signedIn(owner)]
    const ask = async <T>(endpoint: string, more = '') =>
      (await (
        await app.request(
          `/viewer-api/${endpoint}?dataset=${repo.ns}/${repo.name}&config=default&split=train${more}`,
          { headers },
        )
      ).json()) as T
    const { rows, features: shown } = await ask<ViewerPage>('rows')
    expect(shown[0]?.type).toEqual(features[0]?.type)
    expect(rows.map(({ row }) => row['t'])).toEqual([
      { language: ['de', 'fr', 'fr'], translation: ['Katze', 'chat', 'minou'] },
      null,
      { language: ['de'], translation: ['Hund'] },
    ])
    expect(await ask('is-valid')).toMatchObject({ search: true })
    const { rows: found } = await ask<ViewerPage>('search', '&query=hund')
    expect(found.map(({ row_idx }) => row_idx)).toEqual([2])
  })

  test('the Croissant description is for those who may read the files', async () => {
    const [owner, other] = [await givenUser(world, 'baker'), await givenUser(world, 'guest')]
    const files = [await parquetOf(`SELECT 1 AS a, 'x' AS b`)]
    await givenExport(world, owner, [{ files }], { name: 'open', visibility: 'public' })
    await givenExport(world, owner, [{ files }], { name: 'closed', visibility: 'private' })
    await givenExport(world, owner, [{ files }], { name: 'gated', visibility: 'public', gated: 'manual' })
    await givenRepo(world, owner, { type: 'dataset', name: 'empty', visibility: 'public' })
    const { config } = world.deps
    const security = { ...config.security, anonymous_read: true }
    const app = appOf({ deps: { ...world.deps, config: { ...config, security } } })
    const ask = async (name: string, user?: typeof owner) => {
      const answer = await app.request(`/api/datasets/${owner.username}/${name}/croissant`, {
        headers: user ? await signedIn(user) : {},
      })
      return { status: answer.status, code: answer.headers.get('x-error-code'), answer }
    }
    for (const name of ['open', 'closed', 'gated']) {
      const { status, answer } = await ask(name, owner)
      expect([name, status, answer.headers.get('content-type')]).toEqual([name, 200, 'application/ld+json'])
      expect(await answer.json()).toMatchObject({
        '@type': 'sc:Dataset',
        name,
        recordSet: [{}, {}].map(() => expect.objectContaining({ '@type': 'cr:RecordSet' }) as unknown),
      })
    }
    expect([(await ask('open', other)).status, (await ask('open')).status]).toEqual([200, 200])
    const asked = await Promise.all(['closed', 'gated', 'absent', 'empty'].map((name) => ask(name, other)))
    expect(asked.map(({ status, code }) => [status, code])).toEqual([
      [404, 'RepoNotFound'],
      [403, 'GatedRepo'],
      [404, 'RepoNotFound'],
      [404, null],
    ])
    const anonymous = await Promise.all(['closed', 'gated', 'absent'].map((name) => ask(name)))
    expect(anonymous.map(({ status, code }) => [status, code])).toEqual([
      [401, 'RepoNotFound'],
      [401, 'GatedRepo'],
      [401, 'RepoNotFound'],
    ])
  })
})
