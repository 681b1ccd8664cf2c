import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { eachDatabase, givenUser } from '../../testing.ts'
import { findUsernames } from '../content/index.ts'
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
})
