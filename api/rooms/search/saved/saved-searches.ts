import { and, asc, eq } from 'drizzle-orm'
import { requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { newId, UniqueViolation, type Tables } from '../../../stores/db/index.ts'
import { lockNamespace } from '../../namespaces/index.ts'

export type SavedSearch = Tables['saved_searches']['$inferSelect']
export type SearchedList = SavedSearch['list']

const MAX_SAVED = 100

/** What the caller has saved, by name. */
export async function listSavedSearches({ actor, db }: Ctx): Promise<SavedSearch[]> {
  const { saved_searches: saved } = db.t
  const user = requireAccount(actor, 'read')
  return db.q
    .select()
    .from(saved)
    .where(eq(saved.user_id, user.id))
    .orderBy(asc(saved.name), asc(saved.id))
    .limit(MAX_SAVED)
}

/**
 * Saves the filters and the order of a list under a name. Problems: `validation-failed` beyond 100 of them,
 * `already-exists` where the caller has saved another search of that list under the name.
 */
export async function saveSearch(
  ctx: Ctx,
  wanted: { list: SearchedList; name: string; query: string },
): Promise<SavedSearch> {
  const user = requireAccount(ctx.actor, 'write')
  const row: SavedSearch = { id: newId(), user_id: user.id, ...wanted, created_at: ctx.now() }
  await unlessTaken(wanted.name, () =>
    ctx.db.write(async (tx) => {
      // Holds off others of the user's, so that the limit holds.
      await lockNamespace(tx, user.id)
      const { saved_searches: saved } = tx.t
      if ((await tx.q.$count(saved, eq(saved.user_id, user.id))) >= MAX_SAVED)
        throw invalidField('name', `at most ${MAX_SAVED} saved searches; delete one first`, 'too-many')
      await tx.q.insert(saved).values(row)
    }),
  )
  return row
}

/** Changes the name of a saved search, or what it looks for. Problems: `not-found`, `already-exists`. */
export async function updateSavedSearch(
  ctx: Ctx,
  id: string,
  changes: { name?: string | undefined; query?: string | undefined },
): Promise<SavedSearch> {
  const user = requireAccount(ctx.actor, 'write')
  return unlessTaken(changes.name ?? '', () =>
    ctx.db.write(async (tx) => {
      const { saved_searches: saved } = tx.t
      const isOwn = and(eq(saved.id, id), eq(saved.user_id, user.id))
      const [before] = await tx.q.select().from(saved).where(isOwn)
      if (!before) throw new Problem('not-found')
      const { name = before.name, query = before.query } = changes
      await tx.q.update(saved).set({ name, query }).where(isOwn)
      return { ...before, name, query }
    }),
  )
}

/** Deletes a saved search of the caller's. Problem `not-found`. */
export async function deleteSavedSearch(ctx: Ctx, id: string): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  await ctx.db.write(async (tx) => {
    const { saved_searches: saved } = tx.t
    const [gone] = await tx.q
      .delete(saved)
      .where(and(eq(saved.id, id), eq(saved.user_id, user.id)))
      .returning({ id: saved.id })
    if (!gone) throw new Problem('not-found')
  })
}

async function unlessTaken<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new Problem('already-exists', {
      detail: `You have a saved search called ${name}. Choose another name.`,
    })
  }
}
