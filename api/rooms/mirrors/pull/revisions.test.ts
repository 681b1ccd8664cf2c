import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { getMirror } from '../settings/mirror.ts'
import { listProvenance } from '../settings/provenance.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { createPull } from './create-pull.ts'

eachDatabase('revisions of a mirror', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  const small = { 'README.md': '# Model\n', 'config.json': '{}' }
  const address = (name: string) => ({ type: 'model', ns: 'acme', name }) as const
  const mirrorAt = (name: string) => getMirror(site.ctx(person), address(name))

  test('another revision that is pulled once says nothing of where the mirror is', async () => {
    const old = randomBytes(3000)
    const first = await hub.commit('acme/once', small, { large: { 'a.bin': old } })
    await hub.git('acme/once', 'tag', 'v1', first)
    const second = await hub.commit(
      'acme/once',
      { 'more.txt': 'x' },
      { large: { 'a.bin': randomBytes(4000) } },
    )
    await site.pulled(site.ctx(person), site.wish('acme/once'))
    const job = await site.pulled(site.ctx(person), site.wish('acme/once', { revision: 'v1' }))
    expect(job).toMatchObject({ status: 'succeeded', result: { commit: first } })
    const mirror = await mirrorAt('once')
    expect(mirror.row).toMatchObject({
      state: 'idle',
      revision: 'main',
      upstream_commit: second,
      local_commit: second,
    })
    expect(mirror.localCommit).toBe(second)
    expect(mirror.previous.map(({ commit }) => commit)).toEqual([first])
    expect((await site.read(site.ctx(person), 'acme/once', 'a.bin', 'v1')).equals(old)).toBe(true)
    const came = await listProvenance(site.ctx(person), address('once'), { revision: 'v1', path: 'a.bin' })
    expect(came.map(({ commit, size }) => [commit, size])).toEqual([[first, old.length]])
  })

  test('one that fails leaves the mirror as it was', async () => {
    const first = await hub.commit('acme/fails', small, { large: { 'a.bin': randomBytes(3000) } })
    const second = await hub.commit('acme/fails', { 'a.bin': 'small by now' })
    await site.pulled(site.ctx(person), site.wish('acme/fails'))
    hub.cdnMisbehave = (_, response) => {
      response.writeHead(404).end()
      return true
    }
    const job = await site.pulled(site.ctx(person), site.wish('acme/fails', { revision: first }))
    expect(job.status).toBe('failed')
    expect((await mirrorAt('fails')).row).toMatchObject({ state: 'idle', error: null, local_commit: second })
  })

  test('a history that is too large comes as the commit alone, with a warning', async () => {
    await hub.commit('acme/long', { ...small, 'notes.bin': randomBytes(300_000) })
    const head = await hub.commit('acme/long', { 'notes.bin': 'short by now' })
    const ctx: Ctx = site.ctx(person)
    const tight = { ...ctx, config: { ...ctx.config, git: { ...ctx.config.git, max_pack_size: 100_000 } } }
    const { id } = await createPull(tight, site.wish('acme/long', { history: 'full' }))
    expect(await site.run(tight, id)).toMatchObject({
      status: 'succeeded',
      result: { commit: head, warnings: [expect.stringMatching(/whole history.*git\.max_pack_size/)] },
    })
  })

  test('models have no configs and splits to choose from', async () => {
    await hub.commit('acme/parts', small, { large: { 'a.bin': randomBytes(100) } })
    const wish = site.wish('acme/parts', { selection: { configs: ['en'] } })
    await expect(createPull(site.ctx(person), wish)).rejects.toMatchObject({ code: 'validation-failed' })
  })
})
