import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { eachDatabase, givenUser } from '../../testing.ts'
import { pass } from '../../core/lfs/testing.ts'
import { commit as commitTo, findUsernames } from '../content/index.ts'
import { detachMirror, syncNow } from './settings/mirror.ts'
import { listProvenance } from './settings/provenance.ts'
import { givenHub, siteOf } from './testing/site.ts'
import { viewProvenance } from './view.ts'

eachDatabase('provenance of mirrored files', (world) => {
  const hub = givenHub(world)
  const site = siteOf(world, hub)

  test('it names who asked, and no one where that account is not known', async () => {
    const person = await givenUser(world, 'puller')
    const bytes = randomBytes(3000)
    const commit = await hub.commit('acme/known', { 'README.md': '# Model\n' }, { large: { 'a.bin': bytes } })
    const job = await site.pulled(site.ctx(person), site.wish('acme/known'))
    const address = { type: 'model', ns: 'acme', name: 'known' } as const
    const [row] = await listProvenance(site.ctx(person), address, { path: 'a.bin' })
    if (!row) throw new Error('nothing was noted')
    const usernames = await findUsernames(world.db, [person.id])
    expect(viewProvenance(row, usernames)).toMatchObject({
      path: 'a.bin',
      upstream: 'hub',
      repo: 'acme/known',
      commit,
      size: bytes.length,
      job: job.id,
      username: person.username,
      verified: 'sha256',
    })
    expect(viewProvenance(row, new Map())).not.toHaveProperty('username')
    expect(viewProvenance({ ...row, user_id: null }, usernames)).not.toHaveProperty('username')
  })

  test('a small file has one as well: the first commit that was synced with it, also after the mirror is detached', async () => {
    const person = await givenUser(world, 'small-puller')
    const admin = await givenUser(world, 'small-admin', { isAdmin: true })
    const address = { type: 'model', ns: 'acme', name: 'small' } as const
    const files = { 'README.md': '# Model\n', 'config.json': '{}' }
    const first = await hub.commit('acme/small', files, { large: { 'a.bin': randomBytes(300) } })
    const job = await site.pulled(site.ctx(person), site.wish('acme/small'))
    pass(world, 60_000)
    const second = await hub.commit('acme/small', { 'config.json': '{"a":1}' })
    const sync = await site.run(site.ctx(), (await syncNow(site.ctx(admin), address)).id)
    const of = (path?: string, revision?: string) =>
      listProvenance(site.ctx(admin), address, { path, revision })
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const readme = {
      path: 'README.md',
      upstream: 'hub',
      upstream_repo: 'acme/small',
      commit: first,
      sha256: sha256('# Model\n'),
      size: 8,
      job_id: job.id,
      user_id: person.id,
      verified: 'git',
    }
    expect(await of('README.md')).toMatchObject([readme])
    const config = { commit: second, sha256: sha256('{"a":1}'), job_id: sync.id, user_id: admin.id }
    expect(await of('config.json')).toMatchObject([config])
    expect(await of('config.json', first)).toMatchObject([{ commit: first, sha256: sha256('{}') }])
    expect((await of()).map(({ path, verified }) => [path, verified])).toEqual([
      ['a.bin', 'sha256'],
      ['README.md', 'git'],
      ['config.json', 'git'],
    ])
    await detachMirror(site.ctx(admin), address)
    await commitTo(site.ctx(admin), address, {
      title: 'own',
      operations: [{ op: 'add', path: 'config.json', content: Buffer.from('{"own":1}') }],
      via: 'api',
    })
    expect(await of('README.md')).toMatchObject([readme])
    expect(await of('config.json')).toEqual([])
  })
})
