import type { RepoType, Visibility } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireMirrorPlace, requireOwnPlace } from '../../namespaces/index.ts'
import { findRepo, type Repo } from '../../repos/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { findMirror, type MirrorRow } from '../queries.ts'

/** What is to be mirrored, and where to. */
export interface Target {
  ns: string
  name: string
  visibility: Visibility
  /** The namespace is made for mirrors, unless it is there already. */
  isMirrorNamespace: boolean
  /** The mirror that is extended. */
  mirror?: MirrorRow
}

/** Where a pull leads to. */
export interface TargetWish {
  type: RepoType
  /** `ns/name` at the upstream. */
  name: string
  /** Its files are not open to everybody there. */
  isRestricted: boolean
  targetNs?: string | undefined
  visibility?: Visibility | undefined
}

/**
 * Decides where a repo of an upstream is mirrored: in the namespace of its own name, which is made for that, or in one that
 * the caller may write to. What the upstream does not show to everybody becomes private, in the caller's own namespace. An
 * ordinary repo is never touched. Problems `name-taken`, `forbidden`, `validation-failed`.
 */
export async function chooseTarget(ctx: Ctx, upstream: Upstream, wish: TargetWish): Promise<Target> {
  const [upstreamNs = '', name = ''] = wish.name.split('/')
  if (wish.isRestricted && wish.visibility === 'public')
    throw new Problem('validation-failed', {
      detail: `${upstream.name} does not show ${wish.name} to everybody, so its mirror must be private.`,
      errors: [{ field: 'visibility', code: 'invalid', message: 'must be private for this repo' }],
    })
  const visibility = wish.isRestricted ? 'private' : (wish.visibility ?? 'public')
  const own = wish.targetNs ?? (wish.isRestricted ? usernameOf(ctx) : undefined)
  const ns = own ?? `${upstream.namespacePrefix}${upstreamNs}`
  const target = { ns, name, visibility, isMirrorNamespace: own === undefined } as const
  // Before any name in it is looked up: else the answer would tell of repos that are hidden there.
  if (own !== undefined) await requireOwnPlace(ctx, own)
  else await requireMirrorPlace(ctx, { ns, upstream: upstream.id })
  const { live } = await findRepo(ctx, { type: wish.type, ns, name })
  const mirror = live && (await mirrorAt(ctx, live, upstream, wish.name))
  if (mirror && wish.isRestricted && mirror.read_by === null)
    throw new Problem('validation-failed', {
      detail: `${upstream.name} no longer shows ${wish.name} to everybody, and ${ns}/${name} was mirrored while it did. Choose another place with target_ns.`,
      errors: [
        { field: 'target_ns', code: 'invalid', message: 'has a mirror from before the repo was closed' },
      ],
    })
  return { ...target, ...(mirror && { mirror }) }
}

async function mirrorAt(ctx: Ctx, live: Repo, upstream: Upstream, name: string): Promise<MirrorRow> {
  const row = await findMirror(ctx.db, live.id)
  const isSame = row?.upstream === upstream.id && row.upstream_key === name.toLowerCase()
  if (row && isSame && row.state !== 'detached') return row
  throw new Problem('name-taken', {
    detail: `${live.ns}/${live.name} is another repo here. Choose another place with target_ns.`,
    errors: [{ field: 'target_ns', code: 'taken', message: 'a repo of this name is there' }],
  })
}

function usernameOf({ actor }: Pick<Ctx, 'actor'>): string {
  if (actor.kind === 'user') return actor.username
  throw new Problem('forbidden', {
    detail: 'The upstream does not show this repo to everybody. Sign in to mirror it.',
  })
}
