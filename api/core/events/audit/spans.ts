import { and, asc, gt, lte, type SQL } from 'drizzle-orm'
import { Turns } from '../../../platform/flow/index.ts'
import type { Ctx } from '../../ctx.ts'

const SPAN_ROWS = 1000

/**
 * The whole audit, oldest first, as conditions that hold for at most `SPAN_ROWS` rows each. A filter that matches little
 * would otherwise look at every row in one statement, which on SQLite stops everything else: 0.9 s with a million rows.
 */
export async function* spansOf(ctx: Ctx): AsyncGenerator<SQL | undefined> {
  const { q, t } = ctx.db
  const { id } = t.audit
  const turns = new Turns(ctx)
  for (let after = ''; ;) {
    await turns.next()
    const [end] = await q
      .select({ id })
      .from(t.audit)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(1)
      .offset(SPAN_ROWS - 1)
    yield and(gt(id, after), end && lte(id, end.id))
    if (!end) return
    after = end.id
  }
}
