import { z } from 'zod'
import { requireInstanceAdmin } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { askUpstream, type Caller } from './client.ts'
import type { UpstreamState } from './manage.ts'
import { limitOf } from './pace.ts'
import type { UpstreamFinding } from './tables.ts'
import { findUpstream } from './upstream.ts'
import { whoAmI } from './who-am-i.ts'

/** Beyond this, signed addresses of the upstream may count as expired here, or not yet valid. */
const MAX_SKEW_S = 60

/** Looks whether an upstream can be used, keeps what was found and answers it. For instance admins. Problem `not-found`. */
export async function checkUpstream(ctx: Ctx, id: string): Promise<UpstreamState> {
  requireInstanceAdmin(ctx.actor)
  const upstream = await findUpstream(ctx, id)
  if (!upstream) throw new Problem('not-found', { detail: `There is no upstream ${id}.` })
  const findings = await lookAt(ctx, { upstream, token: upstream.token(), signal: ctx.signal })
  const row = {
    healthy: findings.every(({ ok }) => ok),
    checked_at: ctx.now(),
    findings,
  }
  const [kept] = await ctx.db.write(({ q, t: { upstream_states: s } }) =>
    q
      .insert(s)
      .values({ upstream: id, ...row })
      .onConflictDoUpdate({ target: s.upstream, set: row })
      .returning(),
  )
  if (!kept) throw new Problem('internal')
  return kept
}

type Deps = Pick<Ctx, 'config' | 'db' | 'log' | 'now'>

/** Asks an upstream whether it can be used: its API, its git addresses, the token, its clock. */
export async function lookAt(ctx: Deps, caller: Caller): Promise<UpstreamFinding[]> {
  const began = performance.now()
  const reached = await reach(ctx, caller)
  if ('why' in reached) return [{ name: reached.of, ok: false, message: reached.why }]
  const ms = Math.round(performance.now() - began)
  const findings: UpstreamFinding[] = [
    { name: 'reachable', ok: true, message: `It answers in ${ms} ms.` },
    await tokenFinding(ctx, caller),
    await gitFinding(ctx, caller, reached.repo),
    limitFinding(reached.headers),
  ]
  const { date } = reached.headers
  if (date !== undefined) findings.push(clockFinding(date, ctx.now()))
  return findings
}

type Reached =
  | { headers: Record<string, string>; repo: string | undefined }
  | { of: 'reachable' | 'limit'; why: string }

async function reach(ctx: Deps, caller: Caller): Promise<Reached> {
  const unreachable = (why: string) => ({ of: 'reachable', why }) as const
  try {
    const { status, headers, body } = await askUpstream(ctx, caller, '/api/models?limit=1', {
      totalMs: 10_000,
    })
    if (status >= 500) return unreachable(`It answers with status ${status}.`)
    const isHub = status === 401 || status === 403 || body.toString('utf8').trimStart().startsWith('[')
    if (!isHub) return unreachable('It answers, but not as a hub does. Check the address.')
    return { headers, repo: firstOf(body.toString('utf8')) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const why = error.detail ?? error.title
    return error.code === 'upstream-throttled' ? { of: 'limit', why } : unreachable(why)
  }
}

async function tokenFinding(ctx: Deps, caller: Caller): Promise<UpstreamFinding> {
  if (caller.token === undefined)
    return { name: 'token', ok: true, message: 'No token is set. Public repos can be read.' }
  const who = await whoAmI(ctx, caller)
  if (who.state === 'accepted') return { name: 'token', ok: true, message: `The token is ${who.name}'s.` }
  const why = who.state === 'refused' ? 'The upstream refuses the token. Set a new one.' : who.why
  return { name: 'token', ok: false, message: why }
}

/** The id of the first repo on a list. */
function firstOf(json: string): string | undefined {
  try {
    return z.array(z.object({ id: z.string() })).parse(JSON.parse(json))[0]?.id
  } catch {
    return undefined
  }
}

/** A server without git answers 404 for a repo that its list has. */
async function gitFinding(ctx: Deps, caller: Caller, repo: string | undefined): Promise<UpstreamFinding> {
  if (repo === undefined)
    return { name: 'git', ok: true, message: 'It shows no repo, so its git addresses were not tried.' }
  const path = repo.split('/').map(encodeURIComponent).join('/')
  try {
    const { status, headers } = await askUpstream(ctx, caller, `/${path}/info/refs?service=git-upload-pack`, {
      totalMs: 10_000,
    })
    const isGit = status === 401 || status === 403 || /git/.test(headers['content-type'] ?? '')
    const message = isGit
      ? 'Its git addresses answer.'
      : 'It has no git addresses. Mirrors are made from its API, and have commit ids of their own.'
    return { name: 'git', ok: true, message }
  } catch (error) {
    if (error instanceof Problem) return { name: 'git', ok: false, message: error.detail ?? error.title }
    throw error
  }
}

/** What the headers of an answer say of how often the upstream may be asked. */
function limitFinding(headers: Record<string, string>): UpstreamFinding {
  const limit = limitOf(headers)
  if (!limit) return { name: 'limit', ok: true, message: 'Its answers name no limit of requests.' }
  const { left, resetS } = limit
  const until = resetS === undefined ? '' : ` in the next ${resetS} s`
  if (left > 0) return { name: 'limit', ok: true, message: `It takes ${left} more requests${until}.` }
  const message = `It takes no more requests${until}. A token of its own may raise the limit.`
  return { name: 'limit', ok: false, message }
}

function clockFinding(date: string, now: Date): UpstreamFinding {
  const skewS = Math.round(Math.abs(Date.parse(date) - now.getTime()) / 1000)
  return skewS <= MAX_SKEW_S
    ? { name: 'clock', ok: true, message: 'Both clocks agree.' }
    : {
        name: 'clock',
        ok: false,
        message: `The clocks differ by ${skewS} s. Set this server's clock by NTP.`,
      }
}
