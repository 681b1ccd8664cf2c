import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parquetOf } from '../../viewer/testing.ts'
import type { Query } from './messages.ts'
import { openLocked } from './open.ts'
import { QueryProcesses, type QueryFailure } from './processes.ts'

let dir = ''
let other = ''
const file = () => ({
  path: join(dir, 'a'),
  rows: 600_000,
  columns: ['c0', 'c1'],
  lacking: [{ place: 'c2', type: 'VARCHAR' }],
})

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-engine-'))
  other = join(dir, 'other.parquet')
  await writeFile(
    join(dir, 'a'),
    await parquetOf(`SELECT range AS id, 'text ' || range AS text FROM range(600000)`),
  )
  await writeFile(other, await parquetOf('SELECT 1 AS a'))
})
afterAll(() => rm(dir, { recursive: true }))

const scan = (more: Partial<Extract<Query, { work: 'scan' }>> = {}): Query => ({
  work: 'scan',
  files: [file()],
  offset: 0,
  length: 100,
  maxRows: 5_000_000,
  known: [],
  deadlineMs: 10_000,
  ...more,
})
const none = new AbortController().signal
/** Takes minutes, and never looks whether it was interrupted. */
const stubborn = { sql: `length(repeat('a', 200000000 + c0)) + length(repeat(c1, 20000000)) > 0`, values: [] }

/** A process that has ended answers to no signal, once its parent has heard of it. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('what is locked reads its own files and nothing else', async () => {
  const { connection, close } = await openLocked([file()], join(dir, 'tmp'))
  try {
    expect((await connection.runAndReadAll('SELECT count(*), count(c2) FROM f0')).getRowsJS()).toEqual([
      [600_000n, 0n],
    ])
    for (const statement of [
      `SELECT * FROM read_text('/etc/passwd')`,
      `SELECT * FROM read_parquet('${other}')`,
      `SELECT * FROM '${other}'`,
      `SELECT * FROM 'x.csv'`,
      `SELECT * FROM glob('/*')`,
      `SELECT * FROM read_csv('/etc/passwd')`,
      `ATTACH '${dir}/x.db'`,
      `COPY f0 TO '${dir}/out.parquet'`,
      `COPY f0 TO '${dir}/a'`,
      `COPY (SELECT 1) TO '${dir}/a' (FORMAT csv)`,
      'SET enable_external_access = true',
      `SET allowed_paths = ['/']`,
      'SET lock_configuration = false',
      'RESET memory_limit',
      'INSTALL httpfs',
      'LOAD httpfs',
      `SELECT * FROM read_parquet('https://example.org/x.parquet')`,
      `EXPORT DATABASE '${dir}/x'`,
      `IMPORT DATABASE '${dir}/x'`,
    ])
      expect([
        statement,
        await connection.run(statement).then(
          () => 'done',
          () => 'refused',
        ),
      ]).toEqual([statement, 'refused'])
  } finally {
    close()
  }
})

test('a scan that takes too long says how far it came, and its process is no more', async () => {
  const processes = new QueryProcesses()
  const first = { sql: `CASE WHEN c0 < 500000 THEN true ELSE ${stubborn.sql} END`, values: [] }
  const end = await processes.run(dir, scan({ where: first, deadlineMs: 2000 }), none)
  expect(end).toMatchObject({ isLate: true, state: { rows: 500_000, matches: 500_000, isComplete: false } })
  expect(end.state?.page.found).toHaveLength(100)
  expect(processes.idle).toEqual([])
})

test('a caller who leaves ends the query, and the next one has a process', async () => {
  const processes = new QueryProcesses()
  const leaving = new AbortController()
  const left = processes.run(dir, scan({ where: stubborn }), leaving.signal)
  setTimeout(() => leaving.abort(new Error('gone')), 500)
  await expect(left).rejects.toThrow('gone')
  const end = await processes.run(
    dir,
    scan({ where: { sql: 'c0 >= CAST($1 AS BIGINT)', values: ['599999'] } }),
    none,
  )
  expect(end.state).toMatchObject({ page: { found: [599_999] }, matches: 1, isComplete: true })
})

test('a process that is killed fails its query alone', async () => {
  const processes = new QueryProcesses()
  await processes.run(dir, scan(), none)
  const [pid = 0] = processes.idle
  const killed = processes.run(dir, scan({ where: stubborn }), none)
  setTimeout(() => process.kill(pid, 'SIGKILL'), 500)
  await expect(killed).rejects.toThrow('The query process ended (SIGKILL)')
  expect((await processes.run(dir, scan(), none)).state?.matches).toBe(600_000)
})

test('a process that has nothing to do ends, and the next query has another one', async () => {
  const processes = new QueryProcesses({ atOnce: 1, maxWaiting: 1 }, { idleMs: 500 })
  await processes.run(dir, scan(), none)
  const [first = 0] = processes.idle
  await vi.waitFor(() => expect(isAlive(first)).toBe(false), { timeout: 20_000 })
  expect(processes.idle).toEqual([])
  expect((await processes.run(dir, scan(), none)).state?.matches).toBe(600_000)
  const [second = 0] = processes.idle
  expect(second).not.toBe(first)
  expect(isAlive(second)).toBe(true)
})

test('what the engine says of a file is shown without the folders of this machine', async () => {
  const processes = new QueryProcesses()
  const path = join(dir, 'gone')
  const query = scan({ files: [{ ...file(), path }] })
  const failure = await processes.run(dir, query, none).then(
    () => expect.fail('it ran'),
    (error: QueryFailure) => error,
  )
  expect(failure.message).toContain(path)
  expect(failure.shown).toContain('gone')
  expect(failure.shown).not.toContain(dir)
})

test('two run at once, ten wait, and more are refused', async () => {
  const processes = new QueryProcesses()
  const leaving = new AbortController()
  const all = Array.from({ length: 12 }, () => processes.run(dir, scan({ where: stubborn }), leaving.signal))
  await expect(processes.run(dir, scan(), none)).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  leaving.abort(new Error('gone'))
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(12).fill('rejected'))
})

test('known counts of windows are not looked at again', async () => {
  const processes = new QueryProcesses()
  const where = { sql: 'c0 >= CAST($1 AS BIGINT)', values: ['499990'] }
  // Fewer than there are in the last one.
  const known = [
    { rows: 100_000, matches: 0 },
    { rows: 400_000, matches: 10 },
    { rows: 100_000, matches: 99_000 },
  ]
  const { state } = await processes.run(dir, scan({ where, known, offset: 5, length: 6 }), none)
  expect(state?.page.found).toEqual([499_995, 499_996, 499_997, 499_998, 499_999, 500_000])
  expect(state).toMatchObject({ matches: 99_010, rows: 600_000, isComplete: true, counts: known })
})

test('windows grow while they are quick, and those of a later scan go on from there', async () => {
  const processes = new QueryProcesses()
  const where = { sql: 'c0 % 2 = 0', values: [] }
  const files = [file(), file()]
  const { state } = await processes.run(dir, scan({ where, files, maxRows: 1_100_000 }), none)
  expect(state).toMatchObject({ matches: 550_000, rows: 1_100_000, isComplete: false })
  const counts = state?.counts ?? []
  expect(counts[0]).toEqual({ rows: 500_000, matches: 250_000 })
  expect(counts.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_100_000)
  // No window crosses from one file to the next.
  const ends = counts.map((_, i) => counts.slice(0, i + 1).reduce((sum, { rows }) => sum + rows, 0))
  expect(ends).toContain(600_000)
  const page = scan({
    where,
    files,
    maxRows: 1_100_000,
    known: counts.slice(0, 1),
    offset: 400_000,
    length: 2,
  })
  const later = await processes.run(dir, page, none)
  expect(later.state).toMatchObject({
    page: { found: [800_000, 800_002] },
    matches: 550_000,
    rows: 1_100_000,
  })
})

test('cells come with their positions where all are plain and none is long', async () => {
  const processes = new QueryProcesses()
  const columns = [
    { place: 'c0', isText: false },
    { place: 'c1', isText: true },
    { place: 'c2', isText: false },
  ]
  const pageOf = async (maxBytes: number, files = [file()]) => {
    const where = { sql: 'c0 IN (7, 599999)', values: [] }
    return (await processes.run(dir, scan({ where, files, plain: { columns, maxBytes } }), none)).state?.page
  }
  const cells = [
    ['7', '"text 7"', 'null'],
    ['599999', '"text 599999"', 'null'],
  ]
  expect(await pageOf(100)).toEqual({ found: [7, 599_999], cells })
  // The quotes count as well.
  expect(await pageOf(12)).toEqual({ found: [7, 599_999] })
  expect(await pageOf(14, [file(), file()])).toEqual({
    found: [7, 599_999, 600_007, 1_199_999],
    cells: [...cells, ...cells],
  })
})
