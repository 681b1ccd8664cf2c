import { system } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'

/** The server's own context, for what outlives the request that began it; nothing in it pulls through again. */
export function lastingOf(request: Ctx): Ctx {
  const ctx: Ctx = { ...request, actor: system, signal: request.stopping }
  delete ctx.pullThrough
  return ctx
}
