import type { Context } from 'hono'
import type { Revision } from '../../../rooms/content/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { MAX_SIBLINGS } from './siblings.ts'

async function hasSafetensors({ snapshot, commit }: Revision): Promise<boolean> {
  const root = await snapshot.entryAt(commit, '')
  if (!root) return false
  let seen = 0
  for await (const { path } of snapshot.walk(root.oid)) {
    if (path.endsWith('.safetensors')) return true
    // Weights lie among the first files of a model; refusing is the safe answer for the rest.
    if (++seen > MAX_SIBLINGS) break
  }
  return false
}

/**
 * Nothing in transformers lists commits but the thread that would send the repo's id and the user's token to an outside
 * conversion service when a model has only pickled weights. Refusing that call stops it (hub-wire.md §4.5).
 */
export async function guardConversion(c: Context<Env>, revision: Revision): Promise<void> {
  const isModel = c.req.param('t') === 'models'
  if (!isModel || !c.req.header('User-Agent')?.startsWith('transformers/')) return
  if (!(await hasSafetensors(revision)))
    throw new Problem('forbidden', { detail: 'safetensors conversion is disabled on this server' })
}
