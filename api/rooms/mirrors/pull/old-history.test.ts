import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Finding } from '../../../core/check.ts'
import { gitCheck } from '../../../core/git/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { listCommits } from '../../content/index.ts'
import { requireRepo } from '../../repos/index.ts'
import { givenHub, siteOf } from '../testing/site.ts'

eachDatabase('old histories of upstreams', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  test('a commit without an e-mail is kept under its id, shown with its date, and no damage to the deep check', async () => {
    await hub.commit('acme/old', { 'README.md': '# Model\n' })
    const head = await hub.commitBy('acme/old', 'Ada 1700000000 +0100')
    const job = await site.pulled(site.ctx(person), site.wish('acme/old', { history: 'full' }))
    expect(job).toMatchObject({ status: 'succeeded', result: { commit: head } })
    const address = { type: 'model', ns: 'acme', name: 'old' } as const
    const { commits } = await listCommits(site.ctx(person), address, { limit: 10 })
    expect(commits).toHaveLength(2)
    expect(commits[0]).toMatchObject({
      sha: head,
      author: { name: 'Ada', email: '', at: new Date(1_700_000_000_000) },
    })
    const { id } = await requireRepo(site.ctx(person), address, 'repo.read')
    const findings: Finding[] = []
    for await (const finding of gitCheck.run(world.deps, { deep: true, repair: false, repoId: id }))
      findings.push(finding)
    expect(findings).toEqual([])
  })
})
