import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { askUpstream, jsonOf, nextPath, type Caller } from '../../upstreams/index.ts'
import { encodedName, requireReadable, type UpstreamRepo } from './describe.ts'
import { typePathOf } from '../../repos/index.ts'

const PAGE = 50
/** Further back is not counted. */
const MAX_PAGES = 10

const Listed = z.array(z.object({ id: z.string() }))

/**
 * How many commits lie between two of an upstream's: those of `to` that are not yet in `from`. `rewritten` where `to` does
 * not lead back to `from`, `undefined` where that is too far back to say.
 */
export async function commitsBetween(
  ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>,
  caller: Caller,
  repo: UpstreamRepo,
  { from, to }: { from: string; to: string },
): Promise<number | 'rewritten' | undefined> {
  let count = 0
  let path: string | undefined =
    `/api/${typePathOf(repo.type)}/${encodedName(repo.name)}/commits/${to}?limit=${PAGE}`
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await askUpstream(ctx, caller, path, { totalMs: 10_000 })
    requireReadable(caller, answer, `history of ${repo.name}`)
    const parsed = Listed.safeParse(jsonOf(caller, answer))
    if (!parsed.success) return undefined
    const at = parsed.data.findIndex(({ id }) => id === from)
    if (at >= 0) return count + at
    count += parsed.data.length
    path = nextPath(answer.headers['link'], caller.upstream.baseUrl)
    // A server that shows a full page, and no next one, has not shown all.
    if (path === undefined) return parsed.data.length < PAGE ? 'rewritten' : undefined
  }
  return undefined
}
