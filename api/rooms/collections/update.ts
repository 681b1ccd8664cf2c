import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { lockNamespace } from '../namespaces/index.ts'
import { checkIfMatch } from '../repos/index.ts'
import type { CollectionTheme, Visibility } from '../../../shared/vocabulary.ts'
import { auditCollection } from './audit.ts'
import { requireNewTitle } from './create.ts'
import { moveTo } from './order.ts'
import { setCollection, siblingsOf, type Collection } from './queries.ts'
import { requireOwn, requireToChange, type CollectionAddress, type Whole } from './require.ts'
import { descriptionOf, titleOf } from './text.ts'

/** What to change; what is left out stays. */
export interface CollectionChange {
  title?: string | undefined
  /** Empty: none. */
  description?: string | undefined
  visibility?: Visibility | undefined
  /** `null`: none. */
  theme?: CollectionTheme | null | undefined
  /** Its place, from 0, among those of the namespace that the caller sees. */
  position?: number | undefined
}

/**
 * Changes what a collection is called, who sees it and where it stands; a new title gives a new slug. Problems:
 * `not-found`, `forbidden`, `precondition-failed`, `already-exists` for a title in use, `validation-failed`.
 */
export async function updateCollection(
  ctx: Ctx,
  address: CollectionAddress,
  { title, description, position, ...change }: CollectionChange,
  ifMatch?: string,
): Promise<Whole> {
  const wanted = {
    ...change,
    title: title === undefined ? undefined : titleOf(title),
    description: description === undefined ? undefined : descriptionOf(description),
  }
  return ctx.db.write(async (tx) => {
    const { namespaceId } = await requireOwn(tx, ctx, address)
    // Before its own row, as creation does.
    await lockNamespace(tx, namespaceId)
    const { collection, etag } = await requireToChange(tx, ctx, address)
    checkIfMatch(ifMatch, etag)
    const { before, after } = difference(collection, wanted)
    if (typeof after.title === 'string') await requireNewTitle(tx, namespaceId, after.title)
    if (Object.keys(after).length > 0) {
      await setCollection(tx, collection.id, { ...after, updated_at: ctx.now() })
      await auditCollection(tx, ctx, 'collection.update', collection, { before, after })
    }
    if (position !== undefined) await moveAmongSiblings(tx, ctx, collection, position)
    return requireToChange(tx, ctx, address)
  })
}

async function moveAmongSiblings(
  tx: Tx,
  ctx: Ctx,
  { id, namespaceId }: Collection,
  position: number,
): Promise<void> {
  const { collections: table } = tx.t
  const siblings = eq(table.namespace_id, namespaceId)
  await moveTo(tx, { table, siblings }, await siblingsOf(tx, ctx, namespaceId), id, position)
}

type Columns = Partial<Pick<Collection, 'title' | 'description' | 'visibility' | 'theme'>>

function difference(now: Collection, wanted: { [K in keyof Columns]: Columns[K] | undefined }) {
  const before: Columns = {}
  const after: Columns = {}
  const compare = <K extends keyof Columns>(key: K): void => {
    const value = wanted[key]
    if (value === undefined || value === now[key]) return
    before[key] = now[key] as Columns[K]
    after[key] = value as Columns[K]
  }
  for (const key of ['title', 'description', 'visibility', 'theme'] as const) compare(key)
  return { before, after }
}
