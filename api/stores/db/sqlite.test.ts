import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { schema } from '../../app/schema.ts'
import { newId, openDb } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'db-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open = () => openDb({ driver: 'sqlite', dsn: join(folder, 'service.db'), max_open_conns: 1 }, schema)
const space = (name: string) => ({
  id: newId(),
  name,
  name_key: name,
  kind: 'org' as const,
  display_name: name,
  created_at: new Date('2026-01-02T03:04:05Z'),
})

test('a change waits for that of another connection, and the event loop turns meanwhile', async () => {
  // As a command opens the file beside the server; here both are in one thread, whose loop must turn for either to end.
  const [server, command] = [await open(), await open()]
  let hasEnded = false
  const held = new AbortController()
  const long = command.write(async ({ q, t }) => {
    await q.insert(t.namespaces).values(space('long'))
    held.abort()
    for (let i = 0; i < 10_000; i++) await turn()
    hasEnded = true
  })
  while (!held.signal.aborted) await turn()
  const seen = await server.write(async ({ q, t }) => {
    expect(hasEnded).toBe(true)
    return q.$count(t.namespaces, eq(t.namespaces.name_key, 'long'))
  })
  expect(seen).toBe(1)
  await long
  await Promise.all([server.close(), command.close()])
})

test('statements that are asked for in a row let the event loop turn between them', async () => {
  const db = await open()
  await db.write(({ q, t }) =>
    q.insert(t.namespaces).values(Array.from({ length: 100 }, (_, i) => space(`n${i}`))),
  )
  let turns = 0
  const over = new AbortController()
  const counting = (async () => {
    for (; !over.signal.aborted; turns++) await turn()
  })()
  for (let i = 0; i < 50; i++) await db.q.select().from(db.t.namespaces)
  over.abort()
  await counting
  expect(turns).toBeGreaterThan(1)
  await db.close()
})

test('closing waits for what was queued, and refuses what is queued after it', async () => {
  const db = await open()
  const before = db.write(({ q, t }) => q.insert(t.namespaces).values(space('before')))
  const closing = db.close()
  const after = db.write(({ q, t }) => q.insert(t.namespaces).values(space('after')))
  await expect(before).resolves.toBeDefined()
  await expect(after).rejects.toThrow()
  await expect(closing).resolves.toBeUndefined()
  const again = await open()
  const found = await again.q.select({ name: again.t.namespaces.name }).from(again.t.namespaces)
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['before']))
  expect(found.map(({ name }) => name)).not.toContain('after')
  await again.close()
})
