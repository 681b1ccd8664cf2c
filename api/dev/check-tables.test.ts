import { expect, test } from 'vitest'
import { strayWrites } from './check-tables.ts'

const tables = [
  'api/rooms/repos/tables.ts',
  `export const repoTables = (c) => ({ repos: c.table('repos', {}), likes: c.table(\n 'likes', {}) })`,
] as const
const faults = (file: string, source: string) => strayWrites(new Map([tables, [file, source]]))

test.each([
  ['by its path', 'await tx.q.update(tx.t.repos).set({})', 'update repos'],
  ['by a name taken from t', 'async (q, { t: { likes } }) => q.delete(likes)', 'delete likes'],
  ['by another name taken from t', 'const { repos: r } = db.t; q.insert(r).values({})', 'insert repos'],
])('a write to a table of another room is found: %s', (_, source, fault) => {
  expect(faults('api/core/git/a.ts', source)).toEqual([
    `api/core/git/a.ts: ${fault}, which only repos/ writes`,
  ])
})

test('a write to a table that cannot be read is found', () => {
  expect(faults('api/rooms/repos/a.ts', 'for (const table of all) await q.delete(table)')).toEqual([
    expect.stringContaining('delete names no table'),
  ])
})

test.each([
  ['by the room itself', 'api/rooms/repos/like.ts', 'q.insert(t.likes).values({})'],
  ['by a test', 'api/core/git/a.test.ts', 'q.insert(t.likes).values({})'],
  ['of something else', 'api/core/git/a.ts', 'map.delete(likes); hash.update(t.repos)'],
])('is allowed: a write %s', (_, file, source) => {
  expect(faults(file, source)).toEqual([])
})
