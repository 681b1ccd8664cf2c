import { anonymous, type Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { addRedirect, findBySingleName, isWellFormed, type RepoAddress } from '../../repos/index.ts'
import { listUpstreams, tokenFor, type Upstream } from '../../upstreams/index.ts'
import { describeUpstream } from '../reading/describe.ts'
import { adopt } from './adopt.ts'
import { bringOnce } from './bring-once.ts'
import { mayTrigger } from './rules.ts'

type SingleName = Pick<RepoAddress, 'type' | 'name'>

/**
 * Where the repo is here that an upstream knows by a single name: the public hub answers `gpt2` as
 * `openai-community/gpt2`. The name is kept, so that it leads there without the upstream as well.
 */
export async function findSingle(
  ctx: Ctx,
  actor: Actor,
  single: SingleName,
): Promise<RepoAddress | undefined> {
  const nowhere = { ...single, ns: 'any' }
  if (!isWellFormed(nowhere) || !mayTrigger(ctx, actor, nowhere)) return undefined
  const known = await findBySingleName({ ...ctx, actor }, single)
  if (known) return known
  const upstreams = (await listUpstreams(ctx)).filter((one) => one.enabled && one.namespacePrefix === '')
  for (const upstream of upstreams) {
    const found = await findAt(ctx, actor, single, upstream)
    if (found) return found
  }
  return undefined
}

async function findAt(
  ctx: Ctx,
  actor: Actor,
  single: SingleName,
  upstream: Upstream,
): Promise<RepoAddress | undefined> {
  try {
    return await bringOnce(ctx, {
      key: `single/${upstream.id}/${single.type}/${single.name}`.toLowerCase(),
      find: () => findBySingleName({ ...ctx, actor: anonymous }, single),
      bring: async () => {
        const { token } = await tokenFor(ctx, upstream, null)
        const caller = { upstream, token, signal: ctx.stopping }
        const { name: id } = await describeUpstream(ctx, caller, single, 'main', { sizes: false })
        const [ns = '', name] = id.split('/')
        if (name === undefined) throw new Problem('not-found')
        const repoId = await adopt(ctx, actor, { type: single.type, ns, name })
        if (repoId === undefined) throw new Problem('not-found')
        await ctx.db.write((tx) => addRedirect(tx, { ...single, ns: '' }, repoId, ctx.now()))
      },
    })
  } catch (error) {
    if (error instanceof Problem && ['not-found', 'gated', 'revision-not-found'].includes(error.code))
      return undefined
    throw error
  }
}
