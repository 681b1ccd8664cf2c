import { eq } from 'drizzle-orm'
import type { Findings } from '../../core/metadata/index.ts'
import type { Reads, Tables } from '../../stores/db/index.ts'

/** What the Parquet export of a dataset adds to what its files say: rows, and the dtypes of its columns. */
export async function withConverted(
  { q, t }: { q: Reads; t: Tables },
  repoId: string,
  findings: Findings,
): Promise<Findings> {
  const { datasets: d, dataset_configs: c, dataset_splits: s } = t
  const [dataset] = await q.select({ converted: d.converted_commit }).from(d).where(eq(d.repo_id, repoId))
  if (!dataset || dataset.converted === null) return findings
  const splits = await q
    .select({ rows: s.rows, estimated: s.estimated_rows })
    .from(s)
    .where(eq(s.repo_id, repoId))
  const configs = await q.select({ features: c.features }).from(c).where(eq(c.repo_id, repoId))
  const counts = splits.map(({ rows, estimated }) => estimated ?? rows)
  const isKnown = counts.length > 0 && counts.every((rows) => rows !== null)
  const columns = configs.flatMap(({ features }) => features)
  return {
    ...findings,
    ...(isKnown ? { rows: counts.reduce((sum: number, rows) => sum + (rows ?? 0), 0) } : {}),
    columns: columns.slice(0, MAX_COLUMNS).map(({ name, type }) => ({ name, ...columnKind(type) })),
  }
}

/** More columns would only say the same. */
const MAX_COLUMNS = 10_000

function columnKind(type: unknown): { dtype: string; isList: boolean } {
  const { _type: kind, dtype, feature } = type as { _type?: unknown; dtype?: unknown; feature?: unknown }
  if (kind === 'Value') return { dtype: String(dtype), isList: false }
  if (kind === 'List' || kind === 'LargeList' || kind === 'Sequence')
    return { ...columnKind(feature), isList: true }
  return { dtype: typeof kind === 'string' ? kind.toLowerCase() : '', isList: false }
}
