import type { Deps } from '../../../core/ctx.ts'
import { listUpstreams, lookAt, type Upstream, type UpstreamFinding } from '../../upstreams/index.ts'
import type { Finding, HealthCheck } from '../check.ts'

/** For all that one upstream is asked; less than what a check may take. */
const UPSTREAM_MS = 20_000

/** Where an admin changes a setting of an upstream. */
const placeOf = ({ id, isConfigured }: Upstream, key: string) =>
  isConfigured ? `upstreams.${id}.${key}` : `${key} by PATCH /admin/upstreams/${id}`

const fixes: Record<UpstreamFinding['name'], (upstream: Upstream) => string> = {
  reachable: (upstream) =>
    `Check DNS, the proxy and the address. If it is not needed, set ${placeOf(upstream, 'enabled')} to false.`,
  token: (upstream) => `Set ${placeOf(upstream, 'token')} to a token that the upstream accepts.`,
  git: () => 'Check whether a proxy lets git through.',
  limit: (upstream) =>
    `Wait, or set ${placeOf(upstream, 'token')}: upstreams answer those who sign in more often.`,
  clock: () => 'Synchronise the clocks, for instance with chrony.',
}

/** The server works without its upstreams; a token that is refused was set by mistake. */
function findingsOf(upstream: Upstream, found: UpstreamFinding[]): Finding[] {
  const bad = found.filter(({ ok }) => !ok)
  const textOf = (some: UpstreamFinding[]) =>
    `${upstream.name}: ${some.map(({ message }) => message).join(' ')}`
  if (bad.length === 0) return [{ status: 'ok', text: textOf(found) }]
  return bad.map((finding) => ({
    status: finding.name === 'token' ? 'fail' : 'warn',
    text: textOf([finding]),
    fix: fixes[finding.name](upstream),
  }))
}

async function look(deps: Deps, upstream: Upstream, signal: AbortSignal): Promise<Finding[]> {
  const late = AbortSignal.timeout(UPSTREAM_MS)
  const caller = { upstream, token: upstream.token(), signal: AbortSignal.any([signal, late]) }
  const found = await lookAt(deps, caller).catch((error: unknown): UpstreamFinding[] => {
    if (signal.aborted || !late.aborted) throw error
    return [
      { name: 'reachable', ok: false, message: `It did not answer all within ${UPSTREAM_MS / 1000} s.` },
    ]
  })
  return findingsOf(upstream, found)
}

/** Whether every enabled upstream answers as a hub does and takes the token of this server. */
export const upstreams: HealthCheck = {
  name: 'upstreams',
  async run(deps, signal) {
    const enabled = (await listUpstreams(deps)).filter((upstream) => upstream.enabled)
    if (enabled.length === 0) return { status: 'ok', text: 'no upstream is enabled' }
    return (await Promise.all(enabled.map((upstream) => look(deps, upstream, signal)))).flat()
  },
}
