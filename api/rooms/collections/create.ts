import { max, eq } from 'drizzle-orm'
import { actorId } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { lockNamespaceFor } from '../repos/index.ts'
import type { CollectionTheme, Visibility } from '../../../shared/vocabulary.ts'
import { insertItem, type NewItem } from './add-item.ts'
import { auditCollection } from './audit.ts'
import { requireTarget } from './item-target.ts'
import { findTitled, type Reader } from './queries.ts'
import { requireToChange, type Whole } from './require.ts'
import { slugOf } from './slug.ts'
import { descriptionOf, noteOf, titleOf } from './text.ts'

/** A collection to be made. */
export interface NewCollection {
  ns: string
  title: string
  description?: string | undefined
  visibility: Visibility
  theme?: CollectionTheme | undefined
  /** Its first item. */
  item?: NewItem | undefined
}

/**
 * Makes a collection behind the others of its namespace. Problems: `forbidden`, also for a namespace that is not there;
 * `already-exists` for a title in use there; `validation-failed`; `repo-not-found` or `not-found` for
 * its first item.
 */
export async function createCollection(ctx: Ctx, wanted: NewCollection): Promise<Whole> {
  const title = titleOf(wanted.title)
  const description = descriptionOf(wanted.description ?? '')
  const note = noteOf(wanted.item?.note ?? '')
  const found = wanted.item && (await requireTarget(ctx, wanted.item.item))
  return ctx.db.write(async (tx) => {
    const space = await lockNamespaceFor(ctx, tx, wanted.ns, 'namespace.edit-collections')
    await requireNewTitle(tx, space.id, title)
    const { collections: c } = tx.t
    const [row] = await tx.q
      .select({ last: max(c.position) })
      .from(c)
      .where(eq(c.namespace_id, space.id))
    const id = newId()
    const now = ctx.now()
    await tx.q.insert(c).values({
      id,
      namespace_id: space.id,
      title,
      description,
      visibility: wanted.visibility,
      theme: wanted.theme ?? null,
      position: (row?.last ?? -1) + 1,
      created_by: actorId(ctx.actor),
      created_at: now,
      updated_at: now,
    })
    if (found) await insertItem(tx, ctx, { collectionId: id, found, note, position: 0 })
    const after = { visibility: wanted.visibility }
    await auditCollection(tx, ctx, 'collection.create', { id, ns: space.name, title }, { after })
    return requireToChange(tx, ctx, { ns: space.name, slug: slugOf({ title, id }) })
  })
}

/** Problem `already-exists` for a title in use; `members.slug` leads to that collection. Hold the namespace. */
export async function requireNewTitle(db: Reader, namespaceId: string, title: string): Promise<void> {
  const holder = await findTitled(db, namespaceId, title)
  if (!holder) return
  throw new Problem('already-exists', {
    detail: `${holder.ns} has a collection "${title}" already.`,
    errors: [{ field: 'title', code: 'taken', message: 'already in use' }],
    members: { slug: `${holder.ns}/${slugOf(holder)}` },
  })
}
