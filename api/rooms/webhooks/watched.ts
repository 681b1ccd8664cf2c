import { eq } from 'drizzle-orm'
import { authoriseNamespace, namespaceRole, requireUser } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { findNamespace } from '../namespaces/index.ts'
import { invalidField } from '../../platform/problems/index.ts'
import { RepoMoved, requireRepoToChange, type RepoAddress } from '../repos/index.ts'

/** What a webhook is to watch, as callers name it. */
export type Watch = { ns: string } | { repo: RepoAddress }

/** native-api.md §4 */
const MAX_WATCHED = 20

/**
 * Has the webhook watch these things and nothing else. Problems `repo-not-found` and `forbidden` where the caller does
 * not administer one of them, `validation-failed` for none, too many or one twice.
 */
export async function setWatched(tx: Tx, ctx: Ctx, webhookId: string, wanted: Watch[]): Promise<void> {
  if (wanted.length === 0 || wanted.length > MAX_WATCHED)
    throw invalidField('watched', `name 1 to ${MAX_WATCHED} namespaces and repos`)
  const { webhook_watches: w } = tx.t
  const rows: (typeof w.$inferInsert)[] = []
  for (const [i, watch] of wanted.entries()) {
    const place = 'ns' in watch ? await placeOf(tx, ctx, watch.ns, i) : await repoOf(tx, ctx, watch.repo)
    if (rows.some((row) => row.namespace_id === place.namespace_id && row.repo_id === place.repo_id))
      throw invalidField(`watched.${i}`, 'is named twice', 'duplicate')
    rows.push({ id: newId(), webhook_id: webhookId, ...place })
  }
  const { q } = tx
  await q.delete(w).where(eq(w.webhook_id, webhookId))
  await q.insert(w).values(rows)
}

async function repoOf(tx: Tx, ctx: Ctx, address: RepoAddress) {
  const { id } = await following(address, (at) => requireRepoToChange(tx, ctx, at, 'repo.webhooks'))
  return { namespace_id: null, repo_id: id }
}

/** A former address that is no part of the request's own cannot be redirected, so it is followed here. */
export async function following<T>(
  address: RepoAddress,
  ask: (address: RepoAddress) => Promise<T>,
): Promise<T> {
  try {
    return await ask(address)
  } catch (error) {
    if (error instanceof RepoMoved) return ask(error.to)
    throw error
  }
}

/** An absent namespace answers as one of others. */
async function placeOf(tx: Tx, ctx: Ctx, name: string, i: number) {
  const user = requireUser(ctx.actor)
  const space = await findNamespace(tx, name)
  if (!space || namespaceRole(user, space) !== 'admin')
    throw invalidField(`watched.${i}.ns`, 'is no namespace that you administer', 'forbidden')
  authoriseNamespace(ctx.actor, 'namespace.webhooks', space)
  return { namespace_id: space.id, repo_id: null }
}
