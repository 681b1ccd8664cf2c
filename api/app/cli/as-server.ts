import { randomUUID } from 'node:crypto'
import { system } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { CommandFailure, configOf, type Arguments, type Shell } from './command.ts'
import { closeDeps, openDeps } from './stores.ts'
import { loggerOf } from './telemetry.ts'

/** Runs one change as the server itself; a refusal is one line. */
export async function asServer(
  args: Arguments,
  shell: Shell,
  change: (ctx: Ctx) => Promise<void>,
): Promise<number> {
  const config = configOf(args, shell)
  const deps = await openDeps(config, loggerOf(config))
  const origin = { requestId: randomUUID(), ip: '', userAgent: 'arsenal', baseUrl: config.server.public_url }
  try {
    await change({ ...deps, actor: system, origin, signal: deps.stopping })
    return 0
  } catch (error) {
    if (error instanceof Problem) throw new CommandFailure(error.errors?.[0]?.message ?? error.message)
    throw error
  } finally {
    await closeDeps(deps)
  }
}
