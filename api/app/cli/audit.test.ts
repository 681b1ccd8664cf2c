import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditSeal } from '../../core/events/index.ts'
import { enqueue } from '../../core/jobs/index.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import type { Ctx } from '../../core/ctx.ts'
import { asServer } from './as-server.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { SERVICE_TELEMETRY_LOG_LEVEL: 'error' }

async function arsenal(...words: string[]) {
  let [out, err] = ['', '']
  const shell = { env, out: (text: string) => (out += text), err: (text: string) => (err += text) }
  const status = await run([...words, '--quick-start', folder], shell)
  return { status, out, err }
}

/** Works on the data folder as a command does. */
const onServer = (work: (ctx: Ctx) => Promise<void>) => {
  const args = { values: { 'quick-start': folder }, positionals: [] }
  return asServer(args, { env, out: () => undefined, err: () => undefined }, work)
}

beforeAll(async () => {
  for (const name of ['ada', 'bob']) await arsenal('user', 'create', name)
  await onServer(async (ctx) => {
    await ctx.db.write((tx) => enqueue(tx, ctx, auditSeal, {}))
    await runJobs(ctx, [auditSeal])
  })
})

test('the audit log is verified, and a seal that was noted down with it', async () => {
  const { status, out, err } = await arsenal('audit', 'verify')
  expect({ status, err }).toEqual({ status: 0, err: 'The audit log is whole.\n' })
  expect(out).toMatch(/^Newest seal: 2:[0-9a-f]{64}\nChecked 2 rows; 0 wait for a seal\.\n$/)
  const seal = /Newest seal: (\S+)/.exec(out)?.[1] ?? ''
  expect((await arsenal('audit', 'verify', '--seal', seal)).status).toBe(0)
  const other = `2:${'0'.repeat(64)}`
  expect(await arsenal('audit', 'verify', '--seal', other)).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^changed: number 2, row \S+\n/) as string,
  })
  expect(await arsenal('audit', 'verify', '--seal', 'x')).toMatchObject({
    status: 2,
    err: '--seal: "x" is not the number and hash of a seal: 12:abc…\n',
  })
})

test('the audit log is printed as lines of JSON, of the time that is asked for', async () => {
  const { status, out } = await arsenal('audit', 'export')
  expect(status).toBe(0)
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; target: { name: string }; seal: { seq: number } })
  expect(events.map(({ action, target, seal }) => [action, target.name, seal.seq])).toEqual([
    ['user.create', 'ada', 1],
    ['user.create', 'bob', 2],
  ])
  expect(await arsenal('audit', 'export', '--from', '2100-01-01')).toMatchObject({ status: 0, out: '' })
  expect(await arsenal('audit', 'export', '--to', 'someday')).toMatchObject({
    status: 2,
    err: '--to "someday" is no date: 2026-03-01.\n',
  })
})

test('a row that was changed is named', async () => {
  await onServer(async ({ db }) => {
    const { audit } = db.t
    await db.write(({ q }) => q.update(audit).set({ action: 'x' }).where(eq(audit.target_name, 'ada')))
  })
  expect(await arsenal('audit', 'verify')).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^changed: number 1, row \S+\n/) as string,
    err: 'The audit log has 1 faults.\n',
  })
})
