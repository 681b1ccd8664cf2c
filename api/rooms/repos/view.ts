import type { z } from '@hono/zod-openapi'
import { policyOf, roleOn } from '../../core/access/index.ts'
import { openRevision, readCard } from '../content/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { optionalTime, time, type RepoAddress as RepoAddressParams } from '../../core/http/contract.ts'
import { headScans, repoStatus, type HeadScan } from '../scans/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { avatarPath } from '../namespaces/index.ts'
import { accessFormOf } from './people/access-form.ts'
import type { AccessRequest } from './people/access-requests.ts'
import { pagePath, repoTypeOf, typePathOf, type RepoAddress } from './address.ts'
import { detailsOf, type DetailPart, type RepoDetails } from './details.ts'
import type { Liker } from './people/likers.ts'
import type { Repo } from './queries.ts'
import { restoreUntil } from './lifecycle/restore.ts'
import type * as schemas from './schemas.ts'

type RepoView = z.output<typeof schemas.Repo>

/** Drops what is absent, so that it is left out instead of `null`. */
function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

/** The address of the path parameters. */
export const addressOf = ({ type, ns, name }: z.output<typeof RepoAddressParams>): RepoAddress => ({
  type: repoTypeOf(type),
  ns,
  name,
})

/** Path of a repo's native resource. */
export const apiPath = (at: RepoAddress): string =>
  `${nativeBase}/repos/${typePathOf(at.type)}/${at.ns}/${at.name}`

/** What every answer shows; cards and what files say are long. */
const shown: readonly DetailPart[] = ['tags', 'facets', 'storage']

/** Repos as the API shows them to this caller. */
export async function viewRepos(ctx: Ctx, repos: Repo[]): Promise<RepoView[]> {
  const ids = repos.map(({ id }) => id)
  const [details, scans] = await Promise.all([detailsOf(ctx.db, ids, shown), headScans(ctx.db, ids)])
  return repos.map((repo) => viewOf(ctx, repo, details.get(repo.id), scans.get(repo.id)))
}

/** A repo as the API shows it to this caller. */
export async function viewRepo(ctx: Ctx, repo: Repo): Promise<RepoView> {
  const parts: readonly DetailPart[] = repo.gated ? [...shown, 'card'] : shown
  const details = (await detailsOf(ctx.db, [repo.id], parts)).get(repo.id)
  const form = repo.gated ? { access_form: accessFormOf(await cardInOrder(ctx, repo, details)) } : {}
  const scan = (await headScans(ctx.db, [repo.id])).get(repo.id)
  return { ...viewOf(ctx, repo, details, scan), ...form }
}

/** Postgres keeps no order of a card's members, and the questions of a form come in that of its author. */
async function cardInOrder(ctx: Ctx, repo: Repo, details: RepoDetails | undefined) {
  const card = details?.card ?? null
  if (ctx.db.engine === 'sqlite' || !card?.['extra_gated_fields']) return card
  return (await readCard(await openRevision(ctx, repo.id)))?.frontMatter ?? card
}

function viewOf(
  ctx: Ctx,
  repo: Repo,
  details: RepoDetails | undefined,
  scan: HeadScan | undefined,
): RepoView {
  const { public_url } = ctx.config.server
  const page = `${public_url}/${pagePath(repo)}`
  return {
    id: repo.id,
    type: repo.type,
    ns: repo.ns,
    name: repo.name,
    full_name: `${repo.ns}/${repo.name}`,
    visibility: repo.visibility,
    gated: repo.gated ?? false,
    default_branch: repo.defaultBranch,
    size_bytes: repo.headBytes,
    lfs_bytes: details?.lfsBytes ?? 0,
    file_count: repo.headFiles,
    likes: repo.likes,
    liked: repo.isLiked,
    downloads_30d: repo.downloads30d,
    downloads_total: repo.downloadsTotal,
    created_at: time(repo.createdAt),
    updated_at: time(repo.updatedAt),
    discussions_enabled: repo.discussionsEnabled,
    tags: details?.tags ?? [],
    scan_status: repoStatus(ctx, repo.headCommit, scan),
    languages: details?.facets.language ?? [],
    formats: details?.facets.format ?? [],
    quants: details?.facets.quant ?? [],
    modalities: details?.facets.modality ?? [],
    index_status: repo.indexStatus,
    clone_url: page,
    urls: { page, api: `${public_url}${apiPath(repo)}` },
    ...known({
      description: repo.description,
      mirror: repo.mirror,
      disabled: repo.disabledAt && {
        since: time(repo.disabledAt),
        ...(repo.disabledReason === null ? {} : { reason: repo.disabledReason }),
      },
      head_commit: repo.headCommit,
      deleted_at: optionalTime(repo.deletedAt),
      restore_until: optionalTime(repo.deletedAt && restoreUntil(ctx, repo.deletedAt)),
      task: repo.task,
      library: repo.library,
      licence: repo.licence,
      parameters: repo.parameters < 0 ? null : repo.parameters,
      context_length: repo.contextLength,
      size_category: details?.facets.size_category?.[0],
      rows: repo.rows,
      my_role: roleOn(ctx.actor, repo, policyOf(ctx.config)),
      access: repo.gated && (repo.accessStatus ?? ('none' as const)),
    }),
  }
}

/** Somebody who likes a repo as the API shows them. */
export function viewLiker({ username, displayName, likedAt }: Liker) {
  return {
    username,
    display_name: displayName,
    avatar_url: avatarPath(username),
    liked_at: time(likedAt),
  }
}

/** An access request as the API shows it. */
export function viewAccessRequest(request: AccessRequest): z.output<typeof schemas.AccessRequest> {
  return {
    id: request.id,
    user: request.user,
    status: request.status,
    requested_at: time(request.requestedAt),
    ...known({
      message: request.message,
      fields: request.fields,
      reason: request.reason,
      decided_at: optionalTime(request.decidedAt),
      decided_by: request.decidedBy,
    }),
  }
}
