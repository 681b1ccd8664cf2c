import { dieFirst, giveWay } from '../../../../platform/give-way.ts'
import type { QueryOrder, QueryReport, SelectRow } from './messages.ts'
import { runSql } from '../sql/run-sql.ts'
import { compare } from './compare.ts'
import { copy } from './copy.ts'
import { openLocked, openPaths, viewOf, type Locked } from './open.ts'
import { scan } from './scan.ts'

/*
 * The process that runs queries, one at a time. Its parent kills it where an interrupt does not stop the engine.
 */

const say = (report: QueryReport) => process.send?.(report)

async function select(
  { connection }: Locked,
  order: Extract<QueryOrder, { work: 'select' }>,
): Promise<SelectRow[][]> {
  const parts: string[] = []
  let before = 0
  for (const [i, { rows }] of order.files.entries()) {
    if (before < order.maxRows) parts.push(`SELECT * FROM ${viewOf(i)} WHERE idx < ${order.maxRows - before}`)
    before += rows
  }
  await connection.run(`CREATE VIEW v AS ${parts.join(' UNION ALL BY NAME ')}`)
  const all: SelectRow[][] = []
  for (const sql of order.selects) {
    const reader = await connection.runAndReadAll(sql)
    all.push(reader.getRowObjectsJson() as SelectRow[])
  }
  return all
}

const WATCH_MS = 50
const MAX_RESIDENT_BYTES = 1536 * 1024 * 1024

/** The engine's limit does not count all that a statement of a user can make it hold. */
const watchMemory = () =>
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) process.kill(process.pid, 'SIGKILL')
  }, WATCH_MS)

/** Stays open, since other pages and filters follow: to open a file of five hundred row groups takes 18 ms. */
let scanned: { key: string; locked: Locked } | undefined

async function openForScan({ files, tempDir }: Extract<QueryOrder, { work: 'scan' }>): Promise<Locked> {
  const key = JSON.stringify(files)
  if (scanned?.key === key) return scanned.locked
  scanned?.locked.close()
  scanned = undefined
  const locked = await openLocked(files, tempDir)
  scanned = { key, locked }
  return locked
}

async function run(order: QueryOrder): Promise<void> {
  let isLate = false
  let locked: Locked | undefined
  const timer = setTimeout(() => {
    isLate = true
    locked?.connection.interrupt()
  }, order.deadlineMs)
  try {
    if (order.work === 'sql') {
      const paths = order.tables.flatMap((table) => table.paths)
      locked = await openPaths(paths, order.tempDir)
      const watch = watchMemory()
      try {
        say({ done: true, sql: await runSql(locked.connection, order) })
      } finally {
        clearInterval(watch)
      }
      return
    }
    if (order.work === 'compare') {
      locked = await openPaths([...order.base, ...order.head], order.tempDir)
      say({ done: true, compared: await compare(locked.connection, order) })
      return
    }
    if (order.work === 'copy') {
      locked = await openLocked(order.files, order.tempDir, [order.path])
      say({ done: true, written: await copy(locked.connection, order, (share) => say({ copied: share })) })
      return
    }
    if (order.work === 'scan') {
      locked = await openForScan(order)
      const state = await scan(
        locked.connection,
        order,
        (reached) => say({ state: reached }),
        () => isLate,
      )
      say({ done: true, state })
      return
    }
    locked = await openLocked(order.files, order.tempDir)
    say({ done: true, rows: await select(locked, order) })
  } catch (error) {
    say({ failure: error instanceof Error ? error.message : String(error), isLate })
  } finally {
    clearTimeout(timer)
    if (locked !== scanned?.locked) locked?.close()
  }
}

process.on('message', (order: QueryOrder) => void run(order))
process.on('disconnect', () => process.exit())
dieFirst()
giveWay(process.pid)
say('ready')
