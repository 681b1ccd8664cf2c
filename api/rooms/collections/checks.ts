import { and, asc, count, eq, gt, isNull, ne, not, or, sql } from 'drizzle-orm'
import type { Check, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { lockCollection } from './queries.ts'

const found = (check: string, message: string, isRepaired = false): Finding => ({
  check: `collections.${check}`,
  severity: 'error',
  message,
  ...(isRepaired ? { repaired: true as const } : {}),
})

/**
 * Each collection has its namespace and counts its upvotes; no two items stand in one place, and each stands for a repo or
 * for a collection other than its own. Repair counts and numbers again, and deletes items of nothing or of
 * themselves.
 */
export const collectionCheck: Check = {
  name: 'collections',
  async *run(deps, { repair, repoId }) {
    // They are of no repo.
    if (repoId !== undefined) return
    const { collections: c, namespaces } = deps.db.t
    const homeless = await deps.db.q
      .select({ title: c.title })
      .from(c)
      .leftJoin(namespaces, eq(namespaces.id, c.namespace_id))
      .where(isNull(namespaces.id))
    for (const { title } of homeless)
      yield found('namespace', `the collection "${title}" belongs to a namespace that is gone`)
    yield* checkTargets(deps, repair)
    yield* checkPlaces(deps, repair)
    yield* checkUpvotes(deps, repair)
  },
}

async function* checkTargets({ db }: Deps, repair: boolean): AsyncGenerator<Finding> {
  const { collection_items: i } = db.t
  const hasOne = sql`(${isNull(i.repo_id)}) <> (${isNull(i.item_collection_id)})`
  const isWrong = or(not(hasOne), eq(i.item_collection_id, i.collection_id))
  const wrong = await db.q.select({ id: i.id, collectionId: i.collection_id }).from(i).where(isWrong)
  for (const { id, collectionId } of wrong) {
    if (repair) await db.write(({ q }) => q.delete(i).where(and(eq(i.id, id), isWrong)))
    yield found(
      'item',
      `the item ${id} of the collection ${collectionId} must name one repo or one other collection`,
      repair,
    )
  }
}

async function* checkUpvotes({ db }: Deps, repair: boolean): AsyncGenerator<Finding> {
  const { collections: c, collection_upvotes: u } = db.t
  const right = sql<number>`(select count(*) from ${u} where ${eq(u.collection_id, c.id)})`
  const isWrong = ne(c.upvotes, right)
  const wrong = await db.q.select({ id: c.id }).from(c).where(isWrong)
  for (const { id } of wrong) {
    if (repair)
      await db.write(async (tx) => {
        await lockCollection(tx, id)
        await tx.q
          .update(c)
          .set({ upvotes: right })
          .where(and(eq(c.id, id), isWrong))
      })
    yield found('upvotes', `the collection ${id} has a wrong number of upvotes`, repair)
  }
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
    yield found('order', `items of the collection ${id} stand in one place`, repair)
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
