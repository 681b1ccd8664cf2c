import type { Ctx } from '../ctx.ts'
import { ForeignKeyViolation, newId, UniqueViolation, type Tx } from '../db/index.ts'
import { invalidField, Problem } from '../problems/index.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { limits } from '../../shared/vocabulary.ts'
import { auditCollection } from './audit.ts'
import { extentOf } from './item-queries.ts'
import { setCollection } from './queries.ts'
import { requireRepoAt } from './repo-at.ts'
import { requireOwn, requireToChange, type CollectionAddress, type Whole } from './require.ts'
import { noteOf } from './text.ts'

/** A Repo to be put into a Collection. */
export interface NewItem {
  repo: RepoAddress
  note?: string | undefined
}

/**
 * Adds a Repo that the caller may read behind the other items. Problems: `not-found`, `forbidden`, `repo-not-found`,
 * `already-exists`, `validation-failed` (also for a full Collection: clients take every 409 for "is in it").
 */
export async function addItem(ctx: Ctx, address: CollectionAddress, wanted: NewItem): Promise<Whole> {
  const note = noteOf(wanted.note ?? '')
  await requireOwn(ctx.db, ctx, address)
  const repo = await requireRepoAt(ctx, wanted.repo)
  try {
    return await ctx.db.write((tx) => add(tx, ctx, address, { repo, note }))
  } catch (error) {
    if (error instanceof UniqueViolation)
      throw new Problem('already-exists', {
        detail: `${repo.ns}/${repo.name} is in this Collection already.`,
        cause: error,
      })
    // It was purged a moment ago.
    if (error instanceof ForeignKeyViolation) throw new Problem('repo-not-found', { cause: error })
    throw error
  }
}

async function add(
  tx: Tx,
  ctx: Ctx,
  address: CollectionAddress,
  { repo, note }: { repo: Repo; note: string | null },
): Promise<Whole> {
  const { collection, items } = await requireToChange(tx, ctx, address)
  const { n, end } = await extentOf(tx, collection.id)
  const isIn = items.some((item) => item.repo.id === repo.id)
  if (n >= limits.collectionItems && !isIn)
    throw invalidField('item', `a Collection holds at most ${limits.collectionItems} items`, 'full')
  await insertItem(tx, ctx, { collectionId: collection.id, repo, note, position: end })
  await setCollection(tx, collection.id, { updated_at: ctx.now() })
  const after = { repo: `${repo.type}/${repo.ns}/${repo.name}` }
  await auditCollection(tx, ctx, 'collection.item.add', collection, { after })
  return requireToChange(tx, ctx, address)
}

/** Writes an item. Throws `UniqueViolation` where the Repo is in the Collection already. */
export async function insertItem(
  { q, t }: Tx,
  ctx: Ctx,
  item: { collectionId: string; repo: Repo; note: string | null; position: number },
): Promise<void> {
  await q.insert(t.collection_items).values({
    id: newId(),
    collection_id: item.collectionId,
    repo_id: item.repo.id,
    note: item.note,
    position: item.position,
    added_at: ctx.now(),
  })
}
