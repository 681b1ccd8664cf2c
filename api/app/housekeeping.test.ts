import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { jobKinds, jobSchedules } from './housekeeping.ts'
import { enqueue } from '../core/jobs/index.ts'
import { runJobs } from '../core/jobs/testing.ts'
import { eachDatabase } from '../testing.ts'

eachDatabase('housekeeping', (world) => {
  test('the nightly gc does every room’s part', async () => {
    const [schedule] = jobSchedules(world.deps.config)
    if (!schedule) throw new Error('nothing recurs')
    const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), schedule.kind, schedule.input))
    await runJobs(world.deps, jobKinds)
    const { jobs } = world.db.t
    const [job] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
    expect(job).toMatchObject({ kind: 'gc', status: 'succeeded' })
    const parts = [
      'attachments',
      'audit',
      'blobs',
      'chunks',
      'download_sums',
      'facts',
      'git',
      'jobs',
      'lfs_objects',
      'logins',
      'packs',
      'pulls',
      'repo_sizes',
      'repos',
      'scans',
      'strays',
      'uploads',
      'webhook_deliveries',
    ]
    expect(Object.keys(job?.result ?? {}).toSorted()).toEqual([...parts, 'dry_run'].toSorted())
  })
})
