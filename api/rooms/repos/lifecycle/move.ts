import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { UniqueViolation, type Tx } from '../../../stores/db/index.ts'
import { publish } from '../../../core/events/index.ts'
import { requireWithinQuota, type NamespaceRow } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { addressKey, checkRepoName, fullKey, nameTaken, type RepoAddress } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { requireRepoToChange } from '../find.ts'
import { addRedirect, endRedirect, findById, holderOf, setRepo, type Repo } from '../queries.ts'
import { lockNamespaceFor } from './namespace-for.ts'

interface Target {
  space: Pick<NamespaceRow, 'id' | 'name'>
  name: string
  /** Of the request body. */
  field: string
}

/** Gives the repo another address; the old one leads to it until its name is used again. */
async function moveTo(
  tx: Tx,
  ctx: Ctx,
  repo: Repo,
  { space, name, field }: Target,
  action: `repo.${string}`,
) {
  const to = { type: repo.type, ns: space.name, name }
  const holder = await holderOf(tx, { type: repo.type, namespaceId: space.id, name })
  if (holder && holder.id !== repo.id) throw nameTaken(field, holder)
  await endRedirect(tx, to)
  if (holder?.id !== repo.id) await addRedirect(tx, repo, repo.id, ctx.now())
  // While it still has the address that its watchers know.
  await publishMove(tx, ctx, repo, { ns: space.name, name, ownerId: space.id })
  await setRepo(tx, repo.id, {
    namespace_id: space.id,
    name,
    name_key: name.toLowerCase(),
    full_key: fullKey({ ns: space.name, name }),
    address_key: addressKey(repo.type, space.id, name),
    updated_at: ctx.now(),
  })
  const full = (at: RepoAddress) => ({ name: `${at.ns}/${at.name}` })
  await auditRepo(tx, ctx, action, { ...to, id: repo.id }, { before: full(repo), after: full(to) })
  return (await findById(tx, repo.id, actorId(ctx.actor) ?? '')) ?? repo
}

async function publishMove(tx: Tx, ctx: Ctx, repo: Repo, to: { ns: string; name: string; ownerId: string }) {
  const facts = () => ({ movedTo: to })
  await publish(tx, ctx, { repoId: repo.id, event: 'repo', action: 'move', facts, alsoIn: to.ownerId })
}

/** Of two who take a name at once the later one fails at the index. */
async function orConflict<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (error instanceof UniqueViolation)
      throw new Problem('name-taken', { detail: 'The name has just been taken.' })
    throw error
  }
}

/**
 * Renames a repo within its namespace. Needs the right to create repos there too, since a taken name is revealed.
 * Problems: `repo-not-found`, `forbidden`, `invalid-name`, `name-taken`.
 */
export async function renameRepo(ctx: Ctx, address: RepoAddress, name: string): Promise<Repo> {
  const change = ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.rename')
    const space = await lockNamespaceFor(ctx, tx, repo.ns, 'namespace.create-repo')
    checkRepoName('name', name)
    if (name === repo.name) return repo
    return moveTo(tx, ctx, repo, { space, name, field: 'name' }, 'repo.rename')
  })
  return orConflict(change)
}

/**
 * Moves a repo to another namespace. Problems: `repo-not-found`, `forbidden` (without `admin` on both sides),
 * `name-taken`, `quota-exceeded` where it would not fit.
 */
export async function transferRepo(ctx: Ctx, address: RepoAddress, ns: string): Promise<Repo> {
  return moveRepo(ctx, address, { ns, name: address.name })
}

/** Gives a repo another namespace, another name, or both: what `transferRepo` and `renameRepo` do, in one change. */
export async function moveRepo(
  ctx: Ctx,
  address: RepoAddress,
  to: { ns: string; name: string },
): Promise<Repo> {
  if (to.ns.toLowerCase() === address.ns.toLowerCase()) return renameRepo(ctx, address, to.name)
  const change = ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.transfer')
    const space = await lockNamespaceFor(ctx, tx, to.ns, 'namespace.receive-repo')
    checkRepoName('name', to.name)
    const moved = await moveTo(tx, ctx, repo, { space, name: to.name, field: 'ns' }, 'repo.transfer')
    await requireWithinQuota(tx, space)
    return moved
  })
  return orConflict(change)
}
