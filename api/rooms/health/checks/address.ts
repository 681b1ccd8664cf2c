import { guardFor, safeFetch, type Guard, type SafeRequest } from '../../../platform/net/index.ts'
import type { Finding, HealthCheck } from '../check.ts'
import { heldBack } from './pieces.ts'

/** More than nginx takes by default, 1 MiB. */
const BODY_BYTES = 2 * 2 ** 20
const CLOCK_MS = 60_000

/** What `/-/doctor` answers, as far as it is compared. */
interface Seen {
  server: { name: string; public_url: string; time: string }
  request: { path: string; base_url: string; range?: string; body_bytes: number }
}

function asker(publicUrl: string, guard: Guard, signal: AbortSignal) {
  return async (path: string, request: SafeRequest = {}) => {
    const answer = await safeFetch(`${publicUrl}${path}`, guard, { ...request, signal })
    return { status: answer.status, body: seenOf(answer.body.toString()) }
  }
}

function seenOf(text: string): Seen | undefined {
  try {
    const seen = JSON.parse(text) as Partial<Seen>
    return seen.server?.name === 'arsenal' && seen.request ? (seen as Seen) : undefined
  } catch {
    return undefined
  }
}

/** Compares what was sent with what has arrived. */
function passage(publicUrl: string, seen: Seen, now: Date): Finding[] {
  const findings: Finding[] = []
  const { origin } = new URL(publicUrl)
  if (seen.server.public_url !== publicUrl)
    findings.push({
      status: 'fail',
      text: `another server answers there; its server.public_url is ${seen.server.public_url}`,
      fix: 'Correct server.public_url, or the address that the proxy sends requests to.',
    })
  if (seen.request.base_url !== origin)
    findings.push({
      status: 'fail',
      text: `the server took the request for one to ${seen.request.base_url}`,
      fix: 'Let the proxy set X-Forwarded-Proto and X-Forwarded-Host, and list its address in server.trusted_proxies.',
    })
  if (!seen.request.path.includes('%2F'))
    findings.push({
      status: 'fail',
      text: 'the proxy decodes %2F in paths',
      fix: 'Pass the path as it came. In nginx write proxy_pass without a path, also without "/".',
    })
  if (seen.request.range === undefined)
    findings.push({
      status: 'fail',
      text: 'the header Range did not arrive',
      fix: 'Let the proxy pass Range; downloads cannot be resumed without it.',
    })
  const driftMs = Math.abs(now.getTime() - Date.parse(seen.server.time))
  if (driftMs > CLOCK_MS)
    findings.push({
      status: 'warn',
      text: `the clock of the server there differs from this one by ${Math.round(driftMs / 1000)} s`,
      fix: 'Synchronise the clocks, for instance with chrony.',
    })
  return findings
}

/** Goes to `server.public_url` as a client does, through whatever proxy stands there. */
export const publicAddress: HealthCheck = {
  name: 'public address',
  async run(deps, signal) {
    const { security, server } = deps.config
    const { public_url: publicUrl } = server
    const guard = guardFor('upstream', security.outbound_allow, undefined, [publicUrl])
    const ask = asker(publicUrl, guard, signal)
    const { status, body } = await ask('/-/doctor/a%2Fb', { headers: { Range: 'bytes=0-0' } })
    if (!body)
      return {
        status: 'fail',
        text: `${publicUrl} answered ${status} and not as Arsenal does`,
        fix: 'Serve Arsenal at the root of server.public_url, and let the proxy send it every path.',
      }
    const findings = passage(publicUrl, body, deps.now())
    const sent = await ask('/-/doctor', { method: 'POST', body: Buffer.alloc(BODY_BYTES) })
    if (sent.body?.request.body_bytes !== BODY_BYTES)
      findings.push({
        status: 'fail',
        text: `a body of 2 MiB was answered ${sent.status}`,
        fix: 'Lift the limit of body size; in nginx: client_max_body_size 0.',
      })
    findings.push(...(await heldBack(publicUrl, guard, signal)))
    if (findings.length > 0) return findings
    return {
      status: 'ok',
      text: `${publicUrl} reaches a server; path, Range and bodies arrive as they were sent, piece by piece`,
    }
  },
}
