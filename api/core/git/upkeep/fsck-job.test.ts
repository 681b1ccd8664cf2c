import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { checks } from '../../../app/housekeeping.ts'
import { enqueue } from '../../jobs/index.ts'
import { loggedBy, runJobs } from '../../jobs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { fsckJob } from './fsck-job.ts'
import { keyOf } from '../packs/pack-row.ts'

eachDatabase('the weekly fsck', (world) => {
  const kind = fsckJob(checks)
  async function ended() {
    const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}))
    await runJobs(world.deps, [kind])
    const { jobs } = world.db.t
    const [job] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
    return job
  }

  test('finds nothing where nothing is damaged, and a lost pack by its name', async () => {
    const repo = await givenRepo(world, await givenUser(world, 'ada'))
    expect(await ended()).toMatchObject({ status: 'succeeded', result: { errors: 0 } })
    const { packs } = await world.deps.git.open(repo.id)
    const [pack] = packs
    if (!pack) throw new Error('a new repo has a pack')
    await world.blobs.delete(keyOf(pack, 'pack'))
    const damaged = await ended()
    expect(damaged).toMatchObject({ status: 'failed', attempt: 1, problem: { code: 'state-conflict' } })
    expect(damaged?.problem?.message).toContain(`git.pack: pack ${pack.id}`)
    const log = await loggedBy(world.db, damaged?.id ?? '')
    expect(log).toContainEqual(expect.stringMatching(`^git.pack: pack ${pack.id}`))
    expect(log).toContainEqual(expect.stringMatching(/^git is checked: [1-9]\d* errors?, \d+ notes?\.$/))
    expect(log).toContain('jobs is checked: 0 errors, 0 notes.')
  })
})
