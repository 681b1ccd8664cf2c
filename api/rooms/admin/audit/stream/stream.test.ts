import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../../core/access/index.ts'
import { auditLine, auditSeal, exportAudit, oldAudit } from '../../../../core/events/index.ts'
import { enqueue } from '../../../../core/jobs/index.ts'
import { runJobs } from '../../../../core/jobs/testing.ts'
import { pass, sweepRun } from '../../../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../../../testing.ts'
import { getStream } from './settings.ts'
import { linesOf, record, sendDue, set, targetsOf, givenCollector } from './testing.ts'
import { wakeStream, watchStream } from './wake-stream.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

eachDatabase('the stream of the audit log', (world) => {
  const collector = givenCollector(world)
  let root: UserActor
  let made = 0
  beforeEach(async () => {
    root = await givenUser(world, `root${++made}`, { isAdmin: true })
    await world.db.write(async ({ q, t }) => {
      for (const table of [t.audit, t.audit_seals, t.audit_stream, t.jobs]) await q.delete(table)
    })
  })
  const stream = () => getStream(world.ctx(root))
  const begin = (more = {}) => set(world, root, { url: collector.url, ...more })
  const exported = async () => {
    let lines = ''
    for await (const rows of exportAudit(world.ctx(), {})) lines += rows.map(auditLine).join('')
    return lines
  }
  const jobs = () => world.db.q.$count(world.db.t.jobs)

  test('sends what is written from then on, once, in order, as an export has it', async () => {
    await record(world, ['before'])
    await begin({ token: 'siem-token' })
    await record(world, ['one', 'two'])
    await sendDue(world)
    expect(targetsOf(collector.received)).toEqual(['stream', 'one', 'two'])
    expect(collector.received[0]?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'idempotency-key': 'audit-2-4',
      authorization: 'Bearer siem-token',
    })
    expect(await exported()).toMatch(/"before"/)
    expect((await exported()).endsWith(collector.received[0]?.body ?? '-')).toBe(true)
    await record(world, ['three'])
    await sendDue(world)
    await sendDue(world)
    expect(targetsOf(collector.received)).toEqual(['stream', 'one', 'two', 'three'])
    expect(await stream()).toMatchObject({ sent_seq: 5, waiting: 0, lost: 0, sent_at: world.clock.now })
  })

  test('sends all that is there when it is asked to, also again', async () => {
    await record(world, ['one', 'two'])
    await begin({ fromStart: true })
    await sendDue(world)
    expect(targetsOf(collector.received)).toEqual(['one', 'two', 'stream'])
    collector.received.length = 0
    await begin({ fromStart: true })
    await sendDue(world)
    expect(targetsOf(collector.received)).toEqual(['one', 'two', 'stream', 'stream'])
  })

  test('sends the same rows again until they are taken, later each time, and skips none', async () => {
    await begin()
    collector.reply = () => ({ status: 503 })
    await sendDue(world)
    const begun = world.clock.now
    expect(await stream()).toMatchObject({
      waiting: 1,
      failures: 1,
      error: 'The answer was 503, not 2xx.',
      failing_since: begun,
      next_attempt_at: new Date(begun.getTime() + 30 * second),
    })
    pass(world, 29 * second)
    await record(world, ['one'])
    await sendDue(world)
    expect(collector.received).toHaveLength(1)
    for (const wait of [second, 2 * minute, 10 * minute, 60 * minute, 60 * minute]) {
      pass(world, wait - 1)
      await sendDue(world)
      const { length } = collector.received
      pass(world, 1)
      await sendDue(world)
      expect(collector.received).toHaveLength(length + 1)
    }
    expect(await stream()).toMatchObject({ waiting: 2, failing_since: begun })
    collector.received.length = 0
    collector.reply = () => ({ status: 204 })
    pass(world, 60 * minute)
    await sendDue(world)
    expect(targetsOf(collector.received)).toEqual(['stream', 'one'])
    expect(await stream()).toMatchObject({ waiting: 0, failures: 0, failing_since: null, error: null })
  })

  test('does not follow a redirect, and waits for a server that is away', async () => {
    await begin({ url: `http://127.0.0.1:1/hook` })
    await sendDue(world)
    expect(await stream()).toMatchObject({ waiting: 1, error: 'No connection could be made.' })
    await begin()
    collector.reply = () => ({ status: 307, headers: { Location: collector.url } })
    await sendDue(world)
    expect(collector.received).toHaveLength(1)
    expect(await stream()).toMatchObject({ waiting: 2, error: 'The answer was 307, not 2xx.' })
  })

  test('sends a batch again whose worker died before it could say that it was taken', async () => {
    await begin()
    collector.reply = async () => {
      // Another worker has the job now.
      await world.db.write(({ q, t }) => q.update(t.jobs).set({ attempt: 7 }))
      return { status: 200 }
    }
    await sendDue(world)
    expect(await stream()).toMatchObject({ sent_seq: 0, waiting: 1 })
    collector.reply = () => ({ status: 200 })
    await world.db.write(({ q, t }) => q.delete(t.jobs))
    await sendDue(world)
    expect(collector.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'audit-1-1',
      'audit-1-1',
    ])
    expect(await stream()).toMatchObject({ sent_seq: 1, waiting: 0 })
  })

  test('sends at most 500 rows at once, and at most 1 MiB', async () => {
    await begin()
    await record(
      world,
      Array.from({ length: 600 }, (_, n) => `row ${n}`),
    )
    await sendDue(world)
    expect(collector.received.map((message) => linesOf(message).length)).toEqual([500, 101])
    const seqs = collector.received.flatMap((message) => linesOf(message).map(({ seal }) => seal?.seq))
    expect(seqs).toEqual(Array.from({ length: 601 }, (_, n) => n + 1))
    collector.received.length = 0
    await record(world, ['a', 'b', 'c', 'd'], { text: 'x'.repeat(400_000) })
    await record(world, ['huge', 'last'], { text: 'x'.repeat(1_200_000) })
    await sendDue(world)
    expect(collector.received.map((message) => targetsOf([message]))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['huge'],
      ['last'],
    ])
  })

  test('rests while it is paused, and goes on where it was', async () => {
    await begin()
    await sendDue(world)
    await begin({ enabled: false })
    await record(world, ['one'])
    await sendDue(world)
    expect(collector.received).toHaveLength(1)
    expect(await stream()).toMatchObject({ enabled: false, waiting: 2 })
    await begin({ enabled: true })
    await sendDue(world)
    expect(targetsOf(collector.received.slice(1))).toEqual(['stream', 'one', 'stream'])
  })

  test('sends again what went to an address that was changed meanwhile', async () => {
    await begin({ url: `${collector.url}/old` })
    collector.reply = async ({ path }) => {
      if (path.endsWith('/old')) await begin({ url: `${collector.url}/new` })
      return { status: path.endsWith('/old') ? 503 : 200 }
    }
    await sendDue(world)
    expect(collector.received.map(({ path }) => path)).toEqual(['/hook/old', '/hook/new'])
    expect(targetsOf(collector.received.slice(1))).toEqual(['stream', 'stream'])
    expect(await stream()).toMatchObject({ waiting: 0, failures: 0 })
  })

  test('counts the rows that expired before they were sent', async () => {
    await begin()
    collector.reply = () => ({ status: 503 })
    await record(world, ['one', 'two'])
    await sendDue(world)
    pass(world, 400 * day + 1)
    await record(world, ['three'])
    await oldAudit.run(world.ctx(), sweepRun(world))
    expect(await stream()).toMatchObject({ lost: 3, waiting: 1 })
    collector.received.length = 0
    collector.reply = () => ({ status: 200 })
    await sendDue(world)
    expect(targetsOf(collector.received)).toEqual(['three'])
    expect(await stream()).toMatchObject({ lost: 3, waiting: 0, sent_seq: 4 })
  })

  test('counts on when nothing that waited is there any more', async () => {
    await begin({ enabled: false })
    await world.db.write((tx) => enqueue(tx, world.ctx(), auditSeal, {}))
    await runJobs(world.deps, [auditSeal])
    await world.db.write(({ q, t }) => q.delete(t.jobs))
    pass(world, 400 * day + 1)
    await oldAudit.run(world.ctx(), sweepRun(world))
    await world.db.write(({ q, t }) => q.update(t.audit_stream).set({ enabled: true }))
    await sendDue(world)
    expect(collector.received).toEqual([])
    expect(await stream()).toMatchObject({ lost: 1, waiting: 0, sent_seq: 1 })
    expect(await jobs()).toBe(1)
  })

  test('has one job at a time, and none while nothing is to be sent', async () => {
    await record(world, ['one'])
    await wakeStream(world.deps)
    expect(await jobs()).toBe(0)
    await begin()
    await Promise.all([wakeStream(world.deps), wakeStream(world.deps)])
    expect(await jobs()).toBe(1)
    await sendDue(world)
    await wakeStream(world.deps)
    expect(await jobs()).toBe(1)
    await record(world, ['two'])
    await wakeStream(world.deps)
    expect(await jobs()).toBe(2)
  })

  test('is looked at every few seconds until that is ended', async () => {
    const end = watchStream(world.deps, 5)
    await begin()
    await expect.poll(jobs).toBe(1)
    await end()
    await world.db.write(({ q, t }) => q.delete(t.jobs))
    await pause(50)
    expect(await jobs()).toBe(0)
  })

  test('fails until its token is set again where the instance key is another', async () => {
    await begin({ token: 'siem-token' })
    const { audit_stream } = world.db.t
    await world.db.write(({ q }) =>
      q.update(audit_stream).set({ token: 'v1.other.key' }).where(eq(audit_stream.id, 'stream')),
    )
    await sendDue(world)
    expect(collector.received).toEqual([])
    expect(await stream()).toMatchObject({ error: 'The token can no longer be read. Set it again.' })
  })
})
