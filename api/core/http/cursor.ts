import type { z } from '@hono/zod-openapi'
import type { Ctx } from '../ctx.ts'
import { Problem } from '../../platform/problems/index.ts'

/**
 * The opaque cursor for a keyset position. `context` names the list and everything its order and contents depend on
 * (filters, sort, who asks), so that a cursor of one list is refused by another. `""` when there is no next page.
 */
export function sealCursor(ctx: Ctx, context: string, keyset: unknown): string {
  return keyset === undefined ? '' : ctx.secrets.signCursor(context, keyset)
}

/** The position a cursor stands for; Problem `invalid-cursor` when it was not issued for `context`. */
export function openCursor<S extends z.ZodType>(
  ctx: Ctx,
  context: string,
  cursor: string | undefined,
  schema: S,
): z.output<S> | undefined {
  if (cursor === undefined || cursor === '') return undefined
  const opened = schema.safeParse(ctx.secrets.openCursor(context, cursor))
  if (!opened.success)
    throw new Problem('invalid-cursor', { detail: 'Start the list again without a cursor.' })
  return opened.data
}
