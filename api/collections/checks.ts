import { asc, count, eq, gt, isNull } from 'drizzle-orm'
import type { Check, Finding } from '../check.ts'
import type { Deps } from '../ctx.ts'
import { lockCollection } from './queries.ts'

const found = (check: string, message: string, isRepaired = false): Finding => ({
  check: `collections.${check}`,
  severity: 'error',
  message,
  ...(isRepaired ? { repaired: true as const } : {}),
})

/** Each Collection has its Namespace, and no two items stand in one place. Repair numbers them anew. */
export const collectionCheck: Check = {
  name: 'collections',
  async *run(deps, { repair, repoId }) {
    // They are of no Repo.
    if (repoId !== undefined) return
    const { collections: c, namespaces } = deps.db.t
    const homeless = await deps.db.q
      .select({ title: c.title })
      .from(c)
      .leftJoin(namespaces, eq(namespaces.id, c.namespace_id))
      .where(isNull(namespaces.id))
    for (const { title } of homeless)
      yield found('namespace', `the Collection "${title}" belongs to a Namespace that is gone`)
    yield* checkPlaces(deps, repair)
  },
}

async function* checkPlaces({ db }: Deps, repair: boolean): AsyncGenerator<Finding> {
  const { collection_items: i } = db.t
  const doubled = await db.q
    .select({ id: i.collection_id, position: i.position })
    .from(i)
    .groupBy(i.collection_id, i.position)
    .having(gt(count(), 1))
  for (const id of new Set(doubled.map((row) => row.id))) {
    if (repair) await renumber(db, id)
    yield found('order', `items of the Collection ${id} stand in one place`, repair)
  }
}

async function renumber(db: Deps['db'], id: string): Promise<void> {
  await db.write(async (tx) => {
    await lockCollection(tx, id)
    const { collection_items: i } = tx.t
    const rows = await tx.q
      .select({ id: i.id })
      .from(i)
      .where(eq(i.collection_id, id))
      .orderBy(asc(i.position), asc(i.id))
    for (const [position, row] of rows.entries())
      await tx.q.update(i).set({ position }).where(eq(i.id, row.id))
  })
}
