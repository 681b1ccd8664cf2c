import { inArray } from 'drizzle-orm'
import { inBatches, type Reads, type Tables } from '../../stores/db/index.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** Names of the accounts that made commits here; those gone are missing. */
export async function findUsernames(
  { q, t: { namespaces } }: Reader,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const rows = await inBatches(ids, (some) =>
    q
      .select({ id: namespaces.id, name: namespaces.name })
      .from(namespaces)
      .where(inArray(namespaces.id, some)),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
