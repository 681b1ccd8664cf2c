import { desc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../../core/access/index.ts'
import { auditLine, exportAudit } from '../../../../core/events/index.ts'
import { nativeBase } from '../../../../core/http/surface.ts'
import { pass } from '../../../../core/lfs/testing.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../../../../testing.ts'
import { auditLog } from '../../../health/checks/audit-log.ts'
import { mountAuditStream } from './handlers.ts'
import { auditStreamCheck } from './check.ts'
import { deleteStream, getStream } from './settings.ts'
import { testStream } from './test-stream.ts'
import { linesOf, sendDue, set, givenCollector } from './testing.ts'

const minute = 60_000
const elsewhere = 'https://8.8.8.8/audit'

eachDatabase('the settings of the stream of the audit log', (world) => {
  const collector = givenCollector(world)
  let root: UserActor
  let made = 0
  beforeEach(async () => {
    root = await givenUser(world, `root${++made}`, { isAdmin: true })
    await world.db.write(({ q, t }) => q.delete(t.audit_stream))
  })
  const stream = () => getStream(world.ctx(root))
  const begin = (more = {}) => set(world, root, { url: collector.url, ...more })
  const audited = async () => {
    const { q, t } = world.db
    return (
      await q.select().from(t.audit).where(eq(t.audit.target_id, 'stream')).orderBy(desc(t.audit.id)).limit(1)
    )[0]
  }

  test('are for instance admins alone, with a fresh sign-in where something changes', async () => {
    const ada = await givenUser(world, `ada${made}`)
    const forbidden = { code: 'forbidden' }
    await expect(set(world, ada, { url: collector.url })).rejects.toMatchObject(forbidden)
    await begin()
    for (const verb of [getStream, deleteStream, testStream])
      await expect(verb(world.ctx(ada))).rejects.toMatchObject(forbidden)
    pass(world, 11 * minute)
    const stale = { code: 'fresh-sign-in-required' }
    await expect(begin({ enabled: false })).rejects.toMatchObject(stale)
    await expect(deleteStream(world.ctx(root))).rejects.toMatchObject(stale)
    expect(await stream()).toMatchObject({ enabled: true })
  })

  test('keep the token sealed, and never tell it', async () => {
    const secret = 'siem-token-42'
    const { secret: bearer } = await givenToken(world, root, { scopes: ['write', 'admin'] })
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await appOf(world, { native: [mountAuditStream] }).request(
        `${nativeBase}/admin/audit/stream${path}`,
        {
          method,
          headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
      )
      const text = await answer.text()
      expect(text).not.toContain(secret)
      return { status: answer.status, json: JSON.parse(text || '{}') as unknown }
    }
    expect(await call('GET', '')).toMatchObject({ status: 404, json: { code: 'not-found' } })
    const wanted = { url: `${collector.url}/s3cret-path`, token: secret }
    expect(await call('PUT', '', wanted)).toMatchObject({
      status: 200,
      json: { has_token: true, enabled: true },
    })
    collector.reply = () => ({ status: 403, body: secret })
    expect(await call('POST', '/test')).toEqual({
      status: 200,
      json: { ok: false, status: 403, error: 'The answer was 403, not 2xx.' },
    })
    await sendDue(world)
    expect(await call('GET', '')).toMatchObject({
      json: { has_token: true, error: 'The answer was 403, not 2xx.' },
    })
    const [row] = await world.db.q.select().from(world.db.t.audit_stream)
    expect(row?.token).not.toContain(secret)
    let lines = ''
    for await (const rows of exportAudit(world.ctx(), {})) lines += rows.map(auditLine).join('')
    expect(lines).toContain('audit.stream.set')
    expect(lines).not.toMatch(/siem-token|s3cret-path/)
    for (const token of ['', 'with blank', 'naïve', 'line\nbreak'])
      expect(await call('PUT', '', { ...wanted, token })).toMatchObject({ status: 422 })
    expect(await call('DELETE', '')).toEqual({ status: 204, json: {} })
    expect(await call('POST', '/test')).toMatchObject({ status: 404 })
  })

  test('keep a token that is left out, but do not send it to another server', async () => {
    await begin({ token: 'siem-token' })
    await begin({ url: `${collector.url}/other` })
    await testStream(world.ctx(root))
    expect(collector.received[0]).toMatchObject({
      path: '/hook/other',
      headers: { authorization: 'Bearer siem-token' },
    })
    await expect(begin({ url: elsewhere })).rejects.toMatchObject({ code: 'validation-failed' })
    await begin({ url: elsewhere, token: null })
    expect(await stream()).toMatchObject({ url: elsewhere, token: null })
  })

  test('are rows of the audit log, with the origin alone', async () => {
    await begin({ token: 'siem-token' })
    const { origin } = new URL(collector.url)
    const set = { origin, enabled: true, has_token: true }
    expect(await audited()).toMatchObject({
      action: 'audit.stream.set',
      actor_id: root.id,
      before: null,
      after: set,
    })
    await begin({ enabled: false, fromStart: true })
    const paused = { ...set, enabled: false }
    expect(await audited()).toMatchObject({ before: set, after: { ...paused, from_start: true } })
    await deleteStream(world.ctx(root))
    expect(await audited()).toMatchObject({ action: 'audit.stream.delete', before: paused, after: null })
    await expect(deleteStream(world.ctx(root))).rejects.toMatchObject({ code: 'not-found' })
  })

  test.each([
    ['http://8.8.8.8/audit', 'unencrypted'],
    ['https://10.0.0.1/audit', 'blocked'],
    ['ftp://8.8.8.8/', 'invalid-url'],
    ['https://user:pass@8.8.8.8/', 'invalid-url'],
    ['https://8.8.8.8/a b', 'invalid-url'],
    ['nowhere', 'invalid-url'],
  ])('refuse the address %s', async (url, code) => {
    await expect(begin({ url })).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'url', code }],
    })
  })

  test('are tried with a made-up row, also while the stream is paused', async () => {
    await begin({ enabled: false, token: 'siem-token' })
    expect(await testStream(world.ctx(root))).toEqual({ status: 200 })
    const [message] = collector.received
    expect(message?.headers['idempotency-key']).toMatch(/^audit-test-/)
    expect(message && linesOf(message)).toMatchObject([{ action: 'audit.stream.test', actor: root.username }])
    expect(await stream()).toMatchObject({ sent_at: null, waiting: 1 })
  })

  test('show in the checks of the server when they have not worked for an hour', async () => {
    const check = () => auditLog.run(world.deps, new AbortController().signal)
    expect(await check()).toMatchObject({ status: 'ok' })
    await begin()
    collector.reply = () => ({ status: 401 })
    await sendDue(world)
    pass(world, 59 * minute)
    await sendDue(world)
    expect(await check()).toMatchObject({ status: 'ok' })
    pass(world, minute)
    expect(await check()).toMatchObject({
      status: 'fail',
      text: 'the stream of the audit log has failed for 60 minutes: The answer was 401, not 2xx.',
    })
    collector.reply = () => ({ status: 200 })
    pass(world, 60 * minute)
    await sendDue(world)
    expect(await check()).toMatchObject({ status: 'ok' })
    root = await givenUser(world, `late${made}`, { isAdmin: true })
    await begin({ enabled: false })
    expect(await check()).toMatchObject({ status: 'warn' })
  })

  test('are found by fsck when their token cannot be opened', async () => {
    const faults = async () => {
      const found = []
      for await (const fault of auditStreamCheck.run(world.deps, {} as never)) found.push(fault.check)
      return found
    }
    await begin({ token: 'siem-token' })
    expect(await faults()).toEqual([])
    await world.db.write(({ q, t }) => q.update(t.audit_stream).set({ token: 'v1.other.key' }))
    expect(await faults()).toEqual(['audit.stream.secret'])
  })
})
