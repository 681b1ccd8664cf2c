import { beforeAll, expect, test } from 'vitest'
import { jobEnded, jobKinds, jobSchedules } from '../../../app/housekeeping.ts'
import type { App } from '../../../core/http/env.ts'
import { settleSchedules } from '../../../core/jobs/schedules.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../../../testing.ts'
import { mountAdmin } from '../handlers.ts'

interface Task {
  kind: string
  title: string
  cron: string
  next_at?: string
  newest?: { job_id: string; status: string }
}

eachDatabase('tasks that recur', (world) => {
  let app: App
  let secret: string
  const schedulesOf = (config: Parameters<typeof jobSchedules>[0]) =>
    jobSchedules({ ...config, gc: { ...config.gc, schedule: '' } })
  beforeAll(async () => {
    app = appOf(world, { native: [mountAdmin({ kinds: jobKinds, ended: jobEnded, schedules: schedulesOf })] })
    const root = await givenUser(world, 'root', { isAdmin: true })
    secret = (await givenToken(world, root, { scopes: ['admin'] })).secret
    await settleSchedules(world.deps, schedulesOf(world.deps.config), world.deps.now())
  })
  const call = async (method: string, path: string) => {
    const headers = { Authorization: `Bearer ${secret}` }
    const answer = await app.request(`/api/service/v1/admin/schedules${path}`, { method, headers })
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
  const taskOf = async (kind: string) => {
    const items = (await call('GET', '')).json['items'] as Task[]
    return items.find((task) => task.kind === kind)
  }

  test('are listed with their next run, or none where they are switched off', async () => {
    expect(await taskOf('fsck')).toMatchObject({
      cron: expect.stringMatching(/\S/),
      next_at: expect.any(String),
    })
    expect(await taskOf('gc')).toEqual({ kind: 'gc', title: expect.any(String), cron: '' })
  })

  test('run at once when asked to, one at a time, and leave a row in the audit', async () => {
    const first = await call('POST', '/storage.count/run')
    expect(first).toMatchObject({ status: 202, json: { kind: 'storage.count', created_by: 'root' } })
    const next = (await taskOf('storage.count'))?.next_at
    expect((await call('POST', '/storage.count/run')).json['id']).toBe(first.json['id'])
    await runJobs(world.deps, jobKinds)
    expect(await taskOf('storage.count')).toMatchObject({
      next_at: next,
      newest: { job_id: first.json['id'], status: 'succeeded' },
    })
    expect((await call('POST', '/storage.count/run')).json['id']).not.toBe(first.json['id'])
    const { audit } = world.db.t
    const rows = await world.db.q.select().from(audit)
    expect(rows.filter(({ action }) => action === 'admin.schedule.run')).toHaveLength(3)
  })

  test('also those that are switched off; others are not found', async () => {
    expect(await call('POST', '/gc/run')).toMatchObject({
      status: 202,
      json: { kind: 'gc', status: 'queued' },
    })
    expect(await call('POST', '/zip.export/run')).toMatchObject({ status: 404, json: { code: 'not-found' } })
  })
})
