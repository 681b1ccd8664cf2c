import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { shortId, type Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { checkIfMatch } from '../repos/index.ts'
import { auditCollection } from './audit.ts'
import { placedItems, type Item } from './item-queries.ts'
import { auditedAs } from './item-target.ts'
import { moveTo } from './order.ts'
import { setCollection } from './queries.ts'
import { requireToChange, type CollectionAddress, type Whole } from './require.ts'
import { noteOf } from './text.ts'

/** Which item: the collection it is in, and its id or the short form of it. */
export interface ItemAddress extends CollectionAddress {
  id: string
}

/** What to change; what is left out stays. */
export interface ItemChange {
  /** Empty: none. */
  note?: string | undefined
  /** Its place, from 0, among the items that the caller sees; the others are numbered again. */
  position?: number | undefined
}

/** Changes the note or the place of an item. Problems: `not-found`, `forbidden`, `precondition-failed`, `validation-failed`. */
export async function updateItem(
  ctx: Ctx,
  address: ItemAddress,
  { note, position }: ItemChange,
  ifMatch?: string,
): Promise<Whole> {
  const text = note === undefined ? undefined : noteOf(note)
  return ctx.db.write(async (tx) => {
    const { whole, item } = await requireItem(tx, ctx, address, ifMatch)
    const { collection_items: table } = tx.t
    const siblings = eq(table.collection_id, whole.collection.id)
    if (text !== undefined) await tx.q.update(table).set({ note: text }).where(eq(table.id, item.id))
    if (position !== undefined) {
      const placed = await placedItems(tx, whole)
      await moveTo(tx, { table, siblings }, placed, item.id, position)
    }
    await setCollection(tx, whole.collection.id, { updated_at: ctx.now() })
    return requireToChange(tx, ctx, address)
  })
}

/** Takes an item out of a collection. Problems: `not-found`, `forbidden`, `precondition-failed`. */
export async function removeItem(ctx: Ctx, address: ItemAddress, ifMatch?: string): Promise<void> {
  await ctx.db.write(async (tx) => {
    const { whole, item } = await requireItem(tx, ctx, address, ifMatch)
    const { collection_items: table } = tx.t
    await tx.q.delete(table).where(eq(table.id, item.id))
    await setCollection(tx, whole.collection.id, { updated_at: ctx.now() })
    await auditCollection(tx, ctx, 'collection.item.remove', whole.collection, { before: auditedAs(item) })
  })
}

async function requireItem(
  tx: Tx,
  ctx: Ctx,
  address: ItemAddress,
  ifMatch: string | undefined,
): Promise<{ whole: Whole; item: Item }> {
  const whole = await requireToChange(tx, ctx, address)
  const item = whole.items.find(({ id }) => id === address.id || shortId(id) === address.id)
  if (!item) throw new Problem('not-found', { detail: 'There is no such item in this collection.' })
  checkIfMatch(ifMatch, whole.etag)
  return { whole, item }
}
