import { and, desc, eq, lt, or } from 'drizzle-orm'
import { authoriseProfile, decideProfile, policyOf, type Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import type { NamespaceRow, Reader } from '../queries.ts'
import { requireNamedUser, requireNamespace } from '../require.ts'

/** A user or an organisation at one end of a follow. */
export interface Follow {
  id: string
  ns: string
  kind: NamespaceRow['kind']
  displayName: string
  followedAt: Date
}

/** Where a page of follows begins: time of the one before it in ms, and id of who it is of. */
export interface FollowPosition {
  at: number
  id: string
}

export interface FollowsPage {
  after?: FollowPosition | undefined
  limit: number
  /** Leaves out all others. */
  kind?: NamespaceRow['kind'] | undefined
}

/** Who follows a user or an organisation, the latest first. Problems: `unauthenticated`, `not-found`. */
export async function listFollowers(ctx: Ctx, name: string, page: FollowsPage) {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const { id } = await requireNamespace(ctx.db, name)
  return read(ctx, 'follower_id', id, page)
}

/** Whom a user follows, the latest first. Problems: `unauthenticated`, `not-found`. */
export async function listFollowing(ctx: Ctx, name: string, page: FollowsPage) {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const { id } = await requireNamedUser(ctx.db, name)
  return read(ctx, 'namespace_id', id, page)
}

/** `shown` is the end of the follow that the list shows; `of` stands at the other one. */
async function read(
  ctx: Ctx,
  shown: 'follower_id' | 'namespace_id',
  of: string,
  { after, limit, kind }: FollowsPage,
): Promise<Page<Follow, FollowPosition>> {
  const { follows, namespaces: n } = ctx.db.t
  const [end, other] =
    shown === 'follower_id'
      ? [follows.follower_id, follows.namespace_id]
      : [follows.namespace_id, follows.follower_id]
  const at = new Date(after?.at ?? 0)
  const page = await readPage<Follow, FollowPosition>(
    limit,
    (count) =>
      ctx.db.q
        .select({
          id: n.id,
          ns: n.name,
          kind: n.kind,
          displayName: n.display_name,
          followedAt: follows.created_at,
        })
        .from(follows)
        .innerJoin(n, eq(n.id, end))
        .where(
          and(
            eq(other, of),
            kind && eq(n.kind, kind),
            after && or(lt(follows.created_at, at), and(eq(follows.created_at, at), lt(end, after.id))),
          ),
        )
        .orderBy(desc(follows.created_at), desc(end))
        .limit(count),
    ({ followedAt, id }) => ({ at: followedAt.getTime(), id }),
  )
  const policy = policyOf(ctx.config)
  return { ...page, items: page.items.filter(({ ns }) => decideProfile(ctx.actor, ns, policy) === 'ok') }
}

/** How many follow a namespace, how many a user follows, and whether `actor` is one of the followers. */
export async function followsOf({ q, t: { follows } }: Reader, actor: Actor, { id, kind }: NamespaceRow) {
  const followers = await q.$count(follows, eq(follows.namespace_id, id))
  const following = kind === 'user' ? await q.$count(follows, eq(follows.follower_id, id)) : undefined
  if (actor.kind !== 'user') return { followers, following, followed: false }
  const isTheirs = and(eq(follows.follower_id, actor.id), eq(follows.namespace_id, id))
  return { followers, following, followed: (await q.$count(follows, isTheirs)) > 0 }
}

/** How many users a user follows. */
export async function countFollowedUsers({ q, t: { follows, users } }: Reader, id: string): Promise<number> {
  return q.$count(
    q
      .select({ id: users.id })
      .from(follows)
      .innerJoin(users, eq(users.id, follows.namespace_id))
      .where(eq(follows.follower_id, id))
      .as('followed'),
  )
}
