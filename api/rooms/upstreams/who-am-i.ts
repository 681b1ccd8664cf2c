import { z } from 'zod'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { askUpstream, type Caller } from './client.ts'

/** What an upstream says of a token. `unknown` where it does not answer. */
export type Who =
  | { state: 'accepted'; name: string }
  | { state: 'refused' }
  | { state: 'unknown'; why: string }

const Answer = z.object({ name: z.string() })

/** Asks an upstream whose token this is. */
export async function whoAmI(ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>, caller: Caller): Promise<Who> {
  try {
    const { status, body } = await askUpstream(ctx, caller, '/api/whoami-v2', { totalMs: 10_000 })
    if (status === 401 || status === 403) return { state: 'refused' }
    if (status !== 200) return { state: 'unknown', why: `It answered with status ${status}.` }
    return { state: 'accepted', name: Answer.parse(JSON.parse(body.toString('utf8'))).name }
  } catch (error) {
    if (error instanceof Problem) return { state: 'unknown', why: error.detail ?? error.title }
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      return { state: 'unknown', why: 'Its answer is not that of a hub.' }
    throw error
  }
}
