import { hasScope, insideFence, type Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { RepoAddress } from '../../repos/index.ts'
import { listUpstreams, type Upstream } from '../../upstreams/index.ts'
import { fnmatch } from '../selection/fnmatch.ts'

/** Where a repo of an address may come from. */
export interface Origin {
  upstream: Upstream
  /** `ns/name` there. */
  name: string
}

/** Whether a caller may have what is absent at `address` brought here by reading it (`pull.pull_through.min_role`). */
export function mayTrigger({ config }: Pick<Ctx, 'config'>, actor: Actor, address: RepoAddress): boolean {
  const { enabled, min_role: least } = config.pull.pull_through
  if (!enabled) return false
  // Outside its fence a token is anonymous.
  if (actor.kind === 'user' && insideFence(actor, address)) return hasScope(actor, 'read')
  return least === 'anonymous' && config.security.anonymous_read
}

/** Whether a repo of an upstream may be pulled through (`pull.pull_through.allow`); upstreams do not tell cases apart. */
export const isAllowed = ({ config }: Pick<Ctx, 'config'>, name: string): boolean =>
  config.pull.pull_through.allow.some((glob) => fnmatch(name.toLowerCase(), glob.toLowerCase()))

/**
 * Where to look for the repo of an address, in this order: the upstream whose prefix its namespace has, else the public
 * hub and then the others without a prefix, by id.
 */
export async function originsOf(ctx: Ctx, { ns, name }: RepoAddress): Promise<Origin[]> {
  const all = (await listUpstreams(ctx)).filter(({ enabled }) => enabled)
  const own = all.filter(
    ({ namespacePrefix: prefix }) => prefix !== '' && ns.toLowerCase().startsWith(prefix.toLowerCase()),
  )
  const plain = all.filter(({ namespacePrefix }) => namespacePrefix === '')
  const origins = (own.length > 0 ? own : plain).map((upstream) => ({
    upstream,
    name: `${ns.slice(upstream.namespacePrefix.length)}/${name}`,
  }))
  return origins.filter((origin) => !origin.name.startsWith('/') && isAllowed(ctx, origin.name))
}
