import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { loggedBy } from '../../../core/jobs/testing.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { saveUpstreamToken } from '../../upstreams/tokens.ts'
import { givenHub, siteOf } from '../testing/site.ts'

eachDatabase('the log of a pull', (world) => {
  const hub = givenHub(world)
  const site = siteOf(world, hub)
  let person: UserActor
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  test('says which files begin, come, fail and are here already, and no address or token', async () => {
    const ctx = site.ctx(person)
    await saveUpstreamToken(ctx, 'hub', 'good')
    const large = { 'a.bin': randomBytes(300_000), 'b.bin': randomBytes(5000) }
    const sha = await hub.commit('acme/logged', { 'README.md': '# Model\n' }, { large })
    hub.cdnMisbehave = ({ url }, response) => {
      if (url?.slice(1, 65) !== hub.shaOf(large['b.bin'])) return false
      response.writeHead(404).end()
      return true
    }
    const failed = await site.pulled(ctx, site.wish('acme/logged'))
    expect(failed.status).toBe('failed')
    const first = await loggedBy(world.db, failed.id)
    expect(first.slice(1, 4)).toEqual([
      `hub has acme/logged main at ${sha}.`,
      'The commit is here, with all but its large files.',
      '2 large files wanted, 305.0 kB.',
    ])
    expect(first.slice(4, -1).toSorted()).toEqual([
      'a.bin begins, 300.0 kB.',
      'a.bin is here and verified.',
      'b.bin begins, 5.0 kB.',
      expect.stringMatching(/^b\.bin failed: /),
    ])
    expect(first.at(-1)).toMatch(/^Failed after [\d.]+ s \(not-found\): /)

    hub.cdnMisbehave = undefined
    const again = await site.pulled(ctx, site.wish('acme/logged'))
    const second = await loggedBy(world.db, again.id)
    expect(second).toContain('a.bin is skipped, since it is here already.')
    expect(second).toContain('b.bin is here and verified.')
    expect([...first, ...second].join('\n')).not.toMatch(/https?:|good/)
  })
})
