import { and, eq, isNull, ne } from 'drizzle-orm'
import { anonymous, insideFence, system, type Actor, type UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { findNamespace } from '../../namespaces/index.ts'
import { findRepo, redirectFree, type RepoAddress } from '../../repos/index.ts'
import { tokenFor, type Caller } from '../../upstreams/index.ts'
import { contextOf } from '../pull/asker.ts'
import { fetchInto } from '../pull/fetch-into.ts'
import { makeMirror } from '../pull/make-mirror.ts'
import { chooseTarget } from '../pull/target.ts'
import { describeUpstream, gatedThere, type UpstreamRevision } from '../reading/describe.ts'
import { openRemote, resolveRemote } from '../reading/remote.ts'
import { bringOnce } from './bring-once.ts'
import { mayTrigger, originsOf, type Origin } from './rules.ts'

/** The branch that a mirror follows, as every repo of the public hub has it. */
const FOLLOWED = 'main'

/**
 * Finds the repo of an address at the upstreams and makes a mirror of it, one for all who ask. Answers its id. A repo that
 * its upstream does not show to everybody becomes a private one of the caller's own, read with the token that they saved.
 * `undefined` where no upstream has it, the caller may not have it brought, or its namespace is an ordinary one. Problems:
 * `gated`, `upstream-unavailable`, `upstream-throttled`, those of landing commits.
 */
export async function adopt(ctx: Ctx, actor: Actor, address: RepoAddress): Promise<string | undefined> {
  if (!mayTrigger(ctx, actor, address)) return undefined
  // Names in an ordinary namespace are its own: to look elsewhere would tell which of them are hidden.
  const space = await findNamespace(ctx.db, address.ns)
  if (space && !space.mirror_of) return undefined
  for (const origin of await originsOf(ctx, address)) {
    if (space && space.mirror_of !== origin.upstream.id) continue
    const id = await adoptFrom(ctx, actor, { address, origin })
    if (id !== undefined) return id
  }
  return undefined
}

interface Wanted {
  address: RepoAddress
  origin: Origin
}

async function adoptFrom(ctx: Ctx, actor: Actor, wanted: Wanted): Promise<string | undefined> {
  const { type } = wanted.address
  const { upstream, name } = wanted.origin
  const isPerson = actor.kind === 'user' && insideFence(actor, wanted.address)
  const own = isPerson ? await ownMirror(ctx, actor, wanted) : undefined
  if (own !== undefined) return own
  const key = `repo/${upstream.id}/${type}/${name}`.toLowerCase()
  try {
    return await bringOnce(ctx, {
      key,
      find: async () => {
        const { live, moved } = await findRepo({ ...ctx, actor: anonymous }, wanted.address)
        return (live ?? moved)?.id
      },
      bring: () => adoptForAll(ctx, wanted),
    })
  } catch (error) {
    if (!(error instanceof Problem) || !['gated', 'not-found', 'revision-not-found'].includes(error.code))
      throw error
    const token = isPerson ? await tokenFor(ctx, upstream, actor.id) : undefined
    if (isPerson && token && token.kind !== 'none')
      return await bringOnce(ctx, {
        key: `${key}/${actor.id}`,
        find: () => ownMirror(ctx, actor, wanted),
        bring: () => adoptForOne(ctx, actor, wanted),
      }).catch(absentElse)
    return absentElse(error)
  }
}

/** What the upstream does not have is absent; all other failures are reported. */
function absentElse(error: unknown): undefined {
  if (error instanceof Problem && ['not-found', 'revision-not-found'].includes(error.code)) return undefined
  throw error
}

/** The caller's own mirror of a repo that its upstream does not show to everybody. */
async function ownMirror(
  { db }: Ctx,
  actor: UserActor,
  { address: { type }, origin: { upstream, name } }: Wanted,
): Promise<string | undefined> {
  const { mirrors: m, repos: r } = db.t
  const [row] = await db.q
    .select({ id: r.id })
    .from(m)
    .innerJoin(r, eq(r.id, m.repo_id))
    .where(
      and(
        eq(m.upstream, upstream.id),
        eq(m.upstream_key, name.toLowerCase()),
        eq(m.read_by, actor.id),
        ne(m.state, 'detached'),
        eq(r.type, type),
        isNull(r.deleted_at),
      ),
    )
    .limit(1)
  return row?.id
}

/** Reads with the token of the instance, or none: what comes so may be shown to everybody. */
async function adoptForAll(ctx: Ctx, { address, origin }: Wanted): Promise<void> {
  const { upstream, name } = origin
  const { token } = await tokenFor(ctx, upstream, null)
  const caller: Caller = { upstream, token, signal: ctx.stopping }
  const found = await describeUpstream(ctx, caller, { type: address.type, name }, FOLLOWED, { sizes: false })
  if (found.isRestricted) throw gatedThere({ upstream }, name)
  const asker = { ...ctx, actor: anonymous }
  const target = await targetOf(asker, { address, origin }, found)
  if (target.mirror) return redirect(ctx, address, target.mirror.repo_id)
  const mirror = await makeFrom({ ctx, asker, caller, found, target, type: address.type, userId: null })
  const isRenamed = found.name.toLowerCase() !== name.toLowerCase()
  if (isRenamed) await redirect(ctx, address, mirror.repo_id)
}

/** Reads with the token that a person saved: what comes so is theirs alone. */
async function adoptForOne(ctx: Ctx, actor: UserActor, { address, origin }: Wanted): Promise<void> {
  const { upstream, name } = origin
  const asker = await contextOf(ctx, actor.id)
  const { token } = await tokenFor(ctx, upstream, actor.id)
  const caller: Caller = { upstream, token, signal: ctx.stopping }
  const { type } = address
  const described = await describeUpstream(ctx, caller, { type, name }, FOLLOWED, { sizes: false })
  const found = { ...described, isRestricted: true }
  const target = await targetOf(asker, { address, origin }, found)
  if (target.mirror) throw gatedThere(caller, name)
  await makeFrom({ ctx, asker, caller, found: { ...found, name }, target, type, userId: actor.id })
}

const targetOf = (asker: Ctx, { address, origin }: Wanted, found: UpstreamRevision) =>
  chooseTarget(asker, origin.upstream, {
    type: address.type,
    name: found.name,
    isRestricted: found.isRestricted,
  })

/** A repo that was renamed there answers to its old name here as well. */
const redirect = (ctx: Ctx, from: RepoAddress, repoId: string) =>
  ctx.db.write((tx) => redirectFree(tx, from, repoId, ctx.now()))

interface Making {
  ctx: Ctx
  /** Whose rights count for bytes that are here already. */
  asker: Ctx
  caller: Caller
  found: UpstreamRevision
  target: Awaited<ReturnType<typeof chooseTarget>>
  type: RepoAddress['type']
  userId: string | null
}

async function makeFrom({ ctx, asker, caller, found, target, type, userId }: Making) {
  const remote = await openRemote(ctx, caller, { type, name: found.name })
  const at = await resolveRemote(ctx, remote, FOLLOWED)
  const { fidelity } = remote
  const input = {
    upstream: caller.upstream.id,
    type,
    revision: FOLLOWED,
    selection: {},
    tracking: 'follow',
    history: 'shallow',
    user_id: userId,
  } as const
  return makeMirror(
    { ...ctx, actor: system },
    { input, found, target, at, fidelity, isComplete: true },
    (repoId, branch, reveal) =>
      fetchInto(asker, remote, repoId, at, {
        history: 'shallow',
        signal: ctx.stopping,
        isVisible: true,
        ...(at.ref?.name === `refs/heads/${branch}` ? {} : { firstBranch: branch }),
        alongside: reveal,
      }),
  )
}
