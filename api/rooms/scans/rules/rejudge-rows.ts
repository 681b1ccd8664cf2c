import { and, eq } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../../stores/db/index.ts'
import type { ResultRow } from '../content.ts'
import { underRules } from './apply.ts'
import { holdRules } from './lock.ts'

/** A result with its findings, as it is judged again. */
export type JudgedRow = Pick<ResultRow, 'content' | 'reading' | 'version' | 'status' | 'imports' | 'problems'>

/** Writes what the rules of now say of some results. */
export async function rejudgeRows(tx: Tx, db: Pick<Db, 'engine'>, rows: readonly JudgedRow[]): Promise<void> {
  const { scan_results: r } = tx.t
  const rules = await holdRules(tx, db)
  for (const row of rows) {
    const { status, imports } = underRules(rules, row)
    if (status === row.status && isDeepStrictEqual(imports, row.imports)) continue
    const isIt = and(eq(r.content, row.content), eq(r.reading, row.reading), eq(r.version, row.version))
    await tx.q.update(r).set({ status, imports }).where(isIt)
  }
}
