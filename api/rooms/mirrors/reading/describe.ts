import { z } from 'zod'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { typePathOf } from '../../repos/index.ts'
import { askUpstream, jsonOf, unavailable, type Caller } from '../../upstreams/index.ts'

/** A repo of an upstream. */
export interface UpstreamRepo {
  type: RepoType
  /** `ns/name`, as the caller wrote it. */
  name: string
}

/** What an upstream says of one of its repos at a revision. */
export interface UpstreamRevision {
  /** The name it has by now: a renamed repo answers under its new one. */
  name: string
  /** 40-hex. */
  commit: string
  /** Its files are not open to everybody there. */
  isRestricted: boolean
  files: UpstreamFile[]
  /** The metadata of its card; absent where the upstream does not say. */
  card?: Record<string, unknown>
}

export interface UpstreamFile {
  path: string
  sizeBytes: number
  /** Of a large file. */
  sha256?: string
}

/** More is a list that was cut off. */
const MAX_FILES = 100_000

// Fields that are absent, or more of them, are no failure: servers differ.
const File = z.object({
  rfilename: z.string(),
  size: z.number().nullish(),
  lfs: z.object({ sha256: z.string().optional(), oid: z.string().optional(), size: z.number() }).nullish(),
})
const Answer = z.object({
  id: z.string(),
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  private: z.boolean().nullish(),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  siblings: z.array(File).nullish(),
  cardData: z.record(z.string(), z.unknown()).nullish(),
})

/**
 * Asks an upstream for a repo at a revision; without `sizes` its files are listed without what is known of them. Problems:
 * `not-found` where it says that there is none, `gated` where this token may not read it, `upstream-unavailable`,
 * `upstream-throttled`.
 */
export async function describeUpstream(
  ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>,
  caller: Caller,
  { type, name }: UpstreamRepo,
  revision: string,
  { sizes = true }: { sizes?: boolean } = {},
): Promise<UpstreamRevision> {
  const query = sizes ? '?blobs=true' : ''
  const path = `/api/${typePathOf(type)}/${encodedName(name)}/revision/${encodeURIComponent(revision)}${query}`
  const answer = await askUpstream(ctx, caller, path)
  requireReadable(caller, answer, `${name} at ${revision}`)
  const parsed = Answer.safeParse(jsonOf(caller, answer))
  if (!parsed.success) throw unavailable(caller.upstream, new Error('Its answer is not that of a hub.'))
  const { id, sha, siblings, gated, cardData, ...found } = parsed.data
  return {
    name: id.includes('/') ? id : name,
    commit: sha,
    isRestricted: Boolean(found.private) || Boolean(gated),
    files: (siblings ?? []).slice(0, MAX_FILES).map(({ rfilename, size, lfs }) => {
      const sha256 = lfs?.sha256 ?? lfs?.oid
      return {
        path: rfilename,
        sizeBytes: lfs?.size ?? size ?? 0,
        ...(sha256 === undefined ? {} : { sha256 }),
      }
    }),
    ...(cardData && { card: cardData }),
  }
}

/** Refuses to follow a repo that its upstream has closed since: what a mirror shows to everybody must be open there. */
export function requireStillOpen(
  caller: Caller,
  mirror: { read_by: string | null },
  { name, isRestricted }: UpstreamRevision,
): void {
  if (isRestricted && mirror.read_by === null) throw gatedThere(caller, name)
}

/** `ns/name` within an address. */
export const encodedName = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

/**
 * Throws unless an upstream's answer is a success; `what` was asked for. The public hub answers 401 for what does not exist
 * as well, to callers without a token, and names the case in `X-Error-Code`.
 */
export function requireReadable(
  caller: Caller,
  { status, headers }: { status: number; headers: Record<string, string> },
  what: string,
): void {
  if (status >= 200 && status < 300) return
  const { upstream, token } = caller
  const { name } = upstream
  const code = headers['x-error-code']
  if (code === 'GatedRepo' || (status === 403 && code !== 'RepoNotFound')) throw gatedThere(caller, what)
  if (code === 'RevisionNotFound')
    throw new Problem('revision-not-found', { detail: `${name} has no ${what}.` })
  if (status === 404 || status === 401)
    throw new Problem('not-found', {
      detail:
        token === undefined
          ? `${name} has no ${what} that everybody may see. If it is private, save a token of ${name} in the settings.`
          : `${name} has no ${what} that the token which was used may see.`,
    })
  throw unavailable(upstream, new Error(`It answered with status ${status}.`))
}

/** The problem of what an upstream does not show to everybody; `members.upstream` says which. */
export function gatedThere({ upstream: { name, id }, token }: Caller, what: string): Problem {
  const how =
    token === undefined
      ? `Save a token of ${name} that may read it: on the page /discover?upstream=${id}, Your token.`
      : `The token that was used may not read it. Request access at ${name}, or save another token: on the page /discover?upstream=${id}, Your token.`
  return new Problem('gated', {
    detail: `${name} does not give ${what} to everybody. ${how}`,
    members: { upstream: id },
  })
}
