import type { Context } from 'hono'
import type { Env } from '../../../core/http/env.ts'
import { openRevision, type Revision } from '../../../rooms/content/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { RepoAddress } from '../../../rooms/repos/index.ts'
import { rawPath, revisionSplits, segmentsFrom } from './paths.ts'

/** The repo an address names: `:t` is `models` or `datasets` in the API; file addresses of models have no type. */
export function addressOf(c: Context<Env>): RepoAddress {
  const type = c.req.param('t') === 'datasets' ? 'dataset' : 'model'
  return { type, ns: c.req.param('ns') ?? '', name: c.req.param('name') ?? '' }
}

/** `model` or `dataset` from a body's `type`; Problem `invalid-request` for what is not served here. */
export function repoTypeOf(value: unknown): RepoAddress['type'] {
  if (value === undefined || value === null || value === 'model') return 'model'
  if (value === 'dataset') return 'dataset'
  throw new Problem('invalid-request', {
    detail: `Repositories of type "${String(value)}" are not served here.`,
  })
}

/**
 * The commit and path that the segments from the n-th of the raw path on name. Python encodes the revision as one
 * segment; the JavaScript client does not. Problems: `revision-not-found`, `invalid-path`.
 */
export async function revisionAndPath(
  c: Context<Env>,
  repoId: string,
  firstSegment: number,
): Promise<{ revision: Revision; path: string; rev: string }> {
  const segments = segmentsFrom(rawPath(c.req.url), firstSegment)
  if (!segments) throw new Problem('invalid-path', { detail: 'The address is not well percent-encoded.' })
  let refusal: unknown
  for (const { rev, path } of revisionSplits(segments)) {
    try {
      return { revision: await openRevision(c.get('ctx'), repoId, rev), path, rev }
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'revision-not-found')) throw error
      refusal ??= error
    }
  }
  throw refusal ?? new Problem('revision-not-found', { detail: 'Invalid rev id: ' })
}
