import type { Deps } from '../../core/ctx.ts'
import type { CheckedFinding, Finding, HealthCheck } from './check.ts'
import { publicAddress } from './checks/address.ts'
import { auditLog } from './checks/audit-log.ts'
import { clock } from './checks/clock.ts'
import { disk, git, secretFiles } from './checks/machine.ts'
import { damage, database, store } from './checks/stores.ts'
import { upstreams } from './checks/upstreams.ts'
import { jobs } from './checks/work.ts'

/** Every check of `arsenal doctor`. */
const healthChecks: readonly HealthCheck[] = [
  database,
  store,
  clock,
  disk,
  git,
  secretFiles,
  jobs,
  damage,
  publicAddress,
  upstreams,
  auditLog,
]

/** A check that takes longer has failed: whatever it asks does not answer. */
const CHECK_MS = 30_000

/** What to look at where a check could not be made. */
const fixes: Record<string, string> = {
  database: 'Check database.dsn, that the database runs, and that its disk has room.',
  store: 'Check storage.*, the credentials and the permissions of the bucket or folder.',
  clock: 'See what the checks of database and store found.',
  git: 'Install a newer git, and put it on the PATH of the server.',
  'public address':
    'Check DNS, TLS and the proxy of server.public_url, and that a server runs. Clients come by this address.',
}

async function runOne(
  check: HealthCheck,
  deps: Deps,
  signal: AbortSignal,
  limitMs: number,
): Promise<CheckedFinding[]> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const late = new Promise<never>((_, reject) =>
    ending.addEventListener('abort', () =>
      reject(signal.aborted ? signal.reason : new Error(`no answer within ${limitMs / 1000} s`)),
    ),
  )
  const found = await Promise.race([check.run(deps, ending), late]).catch((error: unknown): Finding => {
    signal.throwIfAborted()
    const text = error instanceof Error ? error.message : String(error)
    return { status: 'fail', text, fix: fixes[check.name] ?? 'See the log of the server.' }
  })
  return [found].flat().map((finding) => ({ check: check.name, ...finding }))
}

/** Runs the checks at once and yields what each found, in their order. */
export async function* runChecks(
  deps: Deps,
  signal: AbortSignal,
  checks: readonly HealthCheck[] = healthChecks,
  limitMs = CHECK_MS,
): AsyncGenerator<CheckedFinding> {
  const runs = checks.map((check) => runOne(check, deps, signal, limitMs))
  // Awaited one after the other below; one that rejects before its turn is no unhandled rejection.
  for (const run of runs) run.catch(() => undefined)
  for (const run of runs) yield* await run
}
