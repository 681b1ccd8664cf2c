import {
  actorId,
  authorise,
  decide,
  policyOf,
  repoNotFound,
  type RepoAction,
} from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { PullThrough } from '../../core/pull-through.ts'
import { memo, type Db, type Tx } from '../../stores/db/index.ts'
import { isWellFormed, type RepoAddress } from './address.ts'
import { RepoMoved } from './lifecycle/moved.ts'
import { findAt, findById, lockRepo, type Found, type Repo } from './queries.ts'

const maxLookups = 10_000
interface Lookups {
  byAddress: (key: string) => Found | Promise<Found>
  byId: (key: string) => FoundById | Promise<FoundById>
}
interface FoundById {
  repo: Repo | undefined
}
const lookupsOf = (db: Db): Lookups => ({
  byAddress: memo(db, maxLookups, (key: string) => {
    // Well-formed names hold no blank.
    const [userId = '', type, ns = '', name = ''] = key.split(' ')
    return findAt(db, { type: type === 'dataset' ? 'dataset' : 'model', ns, name }, userId)
  }),
  byId: memo(db, maxLookups, async (key: string) => {
    const [userId = '', id = ''] = key.split(' ')
    return { repo: await findById(db, id, userId) }
  }),
})

/** What the address leads to, hidden or not; answered from memory while nothing was written here (SQLite). */
export function findRepo(ctx: Pick<Ctx, 'db' | 'actor'>, address: RepoAddress): Found | Promise<Found> {
  if (!isWellFormed(address)) return {}
  const key = [actorId(ctx.actor) ?? '', address.type, address.ns, address.name].join(' ')
  return ctx.db.keep(lookupsOf).byAddress(key)
}

function choose(
  ctx: Pick<Ctx, 'actor' | 'config'>,
  address: RepoAddress,
  action: RepoAction,
  found: Found,
): Repo {
  const policy = policyOf(ctx.config)
  const { live, moved, deleted } = found
  const here = action === 'repo.restore' ? (deleted ?? live) : live
  if (!here && moved && decide(ctx.actor, 'repo.read', moved, policy) !== 'hidden')
    throw new RepoMoved(address, moved)
  const repo = here ?? deleted
  if (!repo) throw repoNotFound(ctx.actor, policy)
  authorise(ctx.actor, action, repo, policy)
  if (repo.ns !== address.ns || repo.name !== address.name) throw new RepoMoved(address, repo)
  return repo
}

/**
 * The repo at an address, for a caller who may do `action` to it. Without SQL while nothing was written here (SQLite).
 * Throws `RepoMoved` for an old or otherwise spelled address of a repo the caller may see, else the Problem that says
 * why not: what is hidden answers as absent.
 */
export async function requireRepo(
  ctx: Pick<Ctx, 'db' | 'actor' | 'config' | 'pullThrough'>,
  address: RepoAddress,
  action: RepoAction,
): Promise<Repo> {
  const found = await findRepo(ctx, address)
  if (found.live || found.moved || !ctx.pullThrough || !reads.has(action))
    return choose(ctx, address, action, found)
  return choose(ctx, address, action, (await pulledThrough(ctx, ctx.pullThrough, address)) ?? found)
}

/** Actions for which what is absent is looked for at upstreams. */
const reads = new Set<RepoAction>(['repo.read', 'repo.card', 'repo.files'])

/** What the address leads to once it has been looked for at upstreams, which may call the repo otherwise. */
async function pulledThrough(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  pullThrough: PullThrough,
  address: RepoAddress,
): Promise<Found | undefined> {
  const id = isWellFormed(address) ? await pullThrough.repo(ctx.actor, address) : undefined
  const repo = id === undefined ? undefined : await findById(ctx.db, id, actorId(ctx.actor) ?? '')
  if (!repo) return undefined
  const isHere =
    repo.ns.toLowerCase() === address.ns.toLowerCase() &&
    repo.name.toLowerCase() === address.name.toLowerCase()
  return isHere ? { live: repo } : { moved: repo }
}

/** The repo that a single name was noted for (`addRedirect` with an empty namespace), where the caller may see it. */
export async function findBySingleName(
  ctx: Pick<Ctx, 'db' | 'actor' | 'config'>,
  { type, name }: Pick<RepoAddress, 'type' | 'name'>,
): Promise<Repo | undefined> {
  const { moved } = await findAt(ctx.db, { type, ns: '', name }, actorId(ctx.actor) ?? '')
  const isSeen =
    moved && !moved.isDeleted && decide(ctx.actor, 'repo.read', moved, policyOf(ctx.config)) !== 'hidden'
  return isSeen ? moved : undefined
}

/** As `requireRepo`, by the id, which outlives every address. */
export async function requireRepoById(
  ctx: Pick<Ctx, 'db' | 'actor' | 'config'>,
  id: string,
  action: RepoAction,
): Promise<Repo> {
  const policy = policyOf(ctx.config)
  const { repo } = await ctx.db.keep(lookupsOf).byId(`${actorId(ctx.actor) ?? ''} ${id}`)
  if (!repo) throw repoNotFound(ctx.actor, policy)
  authorise(ctx.actor, action, repo, policy)
  return repo
}

/**
 * As `requireRepo`, inside the transaction that changes the repo: decided on its present state, which no other transaction
 * changes until the transaction ends.
 */
export async function requireRepoToChange(
  tx: Tx,
  ctx: Ctx,
  address: RepoAddress,
  action: RepoAction,
): Promise<Repo> {
  const read = async () =>
    choose(
      ctx,
      address,
      action,
      isWellFormed(address) ? await findAt(tx, address, actorId(ctx.actor) ?? '') : {},
    )
  let repo = await read()
  // A transaction of SQLite is the only writer from its beginning.
  while (ctx.db.engine === 'postgres') {
    await lockRepo(tx, repo.id)
    const locked = await read()
    if (locked.id === repo.id) return locked
    repo = locked
  }
  return repo
}
