import { and, eq, inArray } from 'drizzle-orm'
import {
  inOrder,
  MAX_IMPORTS,
  statusOf,
  type FoundImport,
  type Safety,
} from '../../../core/scanning/index.ts'
import type { Reader, ResultRow } from '../content.ts'

/** What admins say of imports, by `ruleKey`. */
export type Rules = ReadonlyMap<string, RuledSafety>

/** What an admin may say of an import. */
export type RuledSafety = Exclude<Safety, 'suspicious'>

export const ruleKey = ({ module, name }: { module: string; name: string }): string => `${module} ${name}`

export async function readRules({ q, t: { scan_rules: r } }: Reader): Promise<Rules> {
  const rows = await q.select({ module: r.module, name: r.name, safety: r.safety }).from(r)
  return new Map(rows.map((row) => [ruleKey(row), row.safety]))
}

/** Whether results are judged again at this time, as a rule has changed: some are still of the earlier rules. */
export async function isRejudging({ q, t: { jobs: j } }: Reader): Promise<boolean> {
  const open = and(inArray(j.status, ['queued', 'running']), eq(j.kind, REJUDGE))
  return (await q.select({ id: j.id }).from(j).where(open).limit(1)).length > 0
}

/** The kind of job that follows a change of rules. */
export const REJUDGE = 'scan.rejudge'

/**
 * A verdict with what admins say of its imports, whatever rules it was made under before. What can run code stays
 * dangerous. A scan that failed found nothing, and stays so.
 */
export function underRules<V extends Pick<ResultRow, 'status' | 'imports' | 'problems'>>(
  rules: Rules,
  verdict: V,
): V {
  if (verdict.status === 'failed') return verdict
  const imports = inOrder(verdict.imports.map((one) => underRule(rules, one)))
  // Of a file with more imports than are kept, the others are at most as bad as the least of these was found.
  const isCut = imports.length >= MAX_IMPORTS
  const least = inOrder(verdict.imports.map(asFound)).at(-1)
  return {
    ...verdict,
    imports,
    status: statusOf(isCut && least ? [...imports, least] : imports, verdict.problems),
  }
}

function underRule(rules: Rules, given: FoundImport): FoundImport {
  const one = asFound(given)
  const safety = rules.get(ruleKey(one))
  if (safety === undefined || safety === one.safety || one.safety === 'dangerous') return one
  return { ...one, safety, found: one.safety }
}

/** As the scanner found it. */
function asFound({ found, ...one }: FoundImport): FoundImport {
  return found === undefined ? one : { ...one, safety: found }
}
