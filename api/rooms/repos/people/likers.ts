import { and, desc, eq, lt, or } from 'drizzle-orm'
import { authoriseProfile, decideProfile, policyOf, visibleRepos } from '../../../core/access/index.ts'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { findUser, requireNamedUser } from '../../namespaces/index.ts'
import type { RepoAddress } from '../address.ts'
import { requireRepo } from '../find.ts'

/** Where a page of likes begins: time of the like before it in ms, and id of who or what it is of. */
export interface LikePosition {
  at: number
  id: string
}

interface LikesPage {
  after?: LikePosition | undefined
  limit: number
}

/** Somebody who likes a repo. */
export interface Liker {
  username: string
  displayName: string
  likedAt: Date
}

/** A repo that somebody likes. */
export interface LikedRepo {
  type: RepoType
  ns: string
  name: string
  likedAt: Date
}

/** Who likes a repo, the latest first. Problem `repo-not-found`. */
export async function listLikers(
  ctx: Ctx,
  address: RepoAddress,
  { after, limit }: LikesPage,
): Promise<Page<Liker, LikePosition>> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { likes, namespaces } = ctx.db.t
  const at = new Date(after?.at ?? 0)
  return readPage(
    limit,
    (count) =>
      ctx.db.q
        .select({
          id: namespaces.id,
          username: namespaces.name,
          displayName: namespaces.display_name,
          likedAt: likes.created_at,
        })
        .from(likes)
        .innerJoin(namespaces, eq(namespaces.id, likes.user_id))
        .where(
          and(
            eq(likes.repo_id, repo.id),
            after && or(lt(likes.created_at, at), and(eq(likes.created_at, at), lt(likes.user_id, after.id))),
          ),
        )
        .orderBy(desc(likes.created_at), desc(likes.user_id))
        .limit(count),
    positionOf,
  )
}

/** Repos that a user likes and the caller may see, the last liked first. Problems: `unauthenticated`, `not-found`. */
export async function listLikedRepos(
  ctx: Ctx,
  username: string,
  { after, limit }: LikesPage,
): Promise<Page<LikedRepo, LikePosition>> {
  const policy = policyOf(ctx.config)
  authoriseProfile(ctx.actor, username, policy)
  const user = await requireNamedUser(ctx.db, username)
  const { likes, namespaces, repos } = ctx.db.t
  const at = new Date(after?.at ?? 0)
  return readPage(
    limit,
    (count) =>
      ctx.db.q
        .select({
          id: repos.id,
          type: repos.type,
          ns: namespaces.name,
          name: repos.name,
          likedAt: likes.created_at,
        })
        .from(likes)
        .innerJoin(repos, eq(repos.id, likes.repo_id))
        .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
        .where(
          and(
            eq(likes.user_id, user.id),
            visibleRepos(ctx.actor, ctx.db, policy),
            after && or(lt(likes.created_at, at), and(eq(likes.created_at, at), lt(repos.id, after.id))),
          ),
        )
        .orderBy(desc(likes.created_at), desc(repos.id))
        .limit(count),
    positionOf,
  )
}

/** Id of the user whose likes a list is narrowed to; an id of no user where the caller sees no such user. */
export async function likerId(ctx: Ctx, username: string): Promise<string> {
  if (decideProfile(ctx.actor, username, policyOf(ctx.config)) !== 'ok') return ''
  return (await findUser(ctx.db, username))?.id ?? ''
}

const positionOf = ({ likedAt, id }: { likedAt: Date; id: string }): LikePosition => ({
  at: likedAt.getTime(),
  id,
})
