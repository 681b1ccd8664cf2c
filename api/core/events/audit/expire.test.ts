import { expect, test } from 'vitest'
import { pass, sweepRun } from '../../lfs/testing.ts'
import { eachDatabase } from '../../../testing.ts'
import { audit } from './record.ts'
import { oldAudit } from './expire.ts'
import { enqueue } from '../../jobs/index.ts'
import { runJobs } from '../../jobs/testing.ts'
import { auditSeal } from './seal.ts'

const day = 24 * 3_600_000

eachDatabase('the audit', (world) => {
  test('is kept for 400 days', async () => {
    const entry = (id: string) => ({ action: 'repo.create', target: { type: 'repo', id, name: id } })
    await world.db.write((tx) => audit(tx, world.ctx(), entry('first')))
    pass(world, 400 * day)
    await world.db.write((tx) => audit(tx, world.ctx(), entry('second')))
    await world.db.write((tx) => enqueue(tx, world.ctx(), auditSeal, {}))
    await runJobs(world.deps, [auditSeal])
    expect(await oldAudit.run(world.ctx(), sweepRun(world))).toEqual({ forgotten: 0 })
    pass(world, 1)
    expect(await oldAudit.run(world.ctx(), sweepRun(world))).toEqual({ forgotten: 1 })
    const { q, t } = world.db
    expect(await q.select({ id: t.audit.target_id }).from(t.audit)).toEqual([{ id: 'second' }])
  })
})
