import { authoriseNamespace, requireUser, type NamespaceAction } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { findNamespace, lockNamespace, type NamespaceRow } from '../../namespaces/index.ts'
import { namePattern } from '../../../../shared/vocabulary.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Reader } from '../queries.ts'

/**
 * The namespace that is to hold a repo or collection, for a caller with the right to put one there. Decided before any name in it is
 * looked up, so that 409 tells nothing to others (reliability.md §2, L9); an absent namespace answers as a closed one.
 */
export async function requireNamespaceFor(
  { actor }: Pick<Ctx, 'actor'>,
  db: Reader,
  name: string,
  action: NamespaceAction,
): Promise<NamespaceRow> {
  if (actor.kind === 'anonymous') requireUser(actor)
  const space = namePattern.test(name) ? await findNamespace(db, name) : undefined
  if (!space) throw closed(name)
  authoriseNamespace(actor, action, space)
  return space
}

/** As `requireNamespaceFor`, and holds the namespace until the transaction ends: it cannot be deleted meanwhile. */
export async function lockNamespaceFor(
  ctx: Pick<Ctx, 'actor'>,
  tx: Tx,
  name: string,
  action: NamespaceAction,
): Promise<NamespaceRow> {
  const space = await requireNamespaceFor(ctx, tx, name, action)
  const held = await lockNamespace(tx, space.id)
  if (!held) throw closed(name)
  return held
}

const closed = (name: string): Problem =>
  new Problem('forbidden', { detail: `You cannot create anything in ${name}.` })
