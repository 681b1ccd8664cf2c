// A server that kills itself where its parent says: `node server.js <key>=<value>...`, which sends messages.
import { join } from 'node:path'
import { configOf } from '../../../api/app/cli/command.ts'
import { startServer } from '../../../api/app/cli/server.ts'
import { loggerOf } from '../../../api/app/cli/telemetry.ts'
import type { Finding } from '../../../api/core/check.ts'
import type { Deps } from '../../../api/core/ctx.ts'
import { exportRepository } from '../../../api/core/git/index.ts'
import { checks } from '../../../api/app/housekeeping.ts'
import { CrashPoints, withCrashPoints, type CrashPlan } from './crash-points.ts'

type Request =
  | { arm: CrashPlan | null }
  | { fsck: { repoId?: string } }
  | { exportTo: string; repoId: string }

const shell = { env: {}, out: () => undefined, err: (text: string) => process.stderr.write(text) }
const config = configOf({ values: { set: process.argv.slice(2) }, positionals: [] }, shell)
const points = new CrashPoints(join(config.server.data_dir, 'crashes.log'))

/** What `arsenal fsck --deep` would print as errors. */
async function damage(deps: Deps, repoId: string | undefined): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of checks)
    for await (const finding of check.run(deps, { deep: true, repair: false, ...(repoId ? { repoId } : {}) }))
      if (finding.severity === 'error') found.push(finding)
  return found
}

async function answer(deps: Deps, request: Request): Promise<unknown> {
  if ('arm' in request) return points.arm(request.arm ?? undefined)
  if ('fsck' in request) return damage(deps, request.fsck.repoId)
  return exportRepository(deps.git, request.repoId, request.exportTo)
}

const { deps } = await startServer(
  config,
  loggerOf(config),
  () => undefined,
  (opened) => withCrashPoints(opened, points),
)
process.on('message', ({ id, request }: { id: number; request: Request }) => {
  answer(deps, request).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
