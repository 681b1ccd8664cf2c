import { createHash } from 'node:crypto'
import { Problem } from '../../platform/problems/index.ts'
import type { Repo } from './queries.ts'

/** A strong ETag of a state. */
export function etagOf(state: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)}"`
}

/** The ETag of a repo's settings: what `PATCH` and `DELETE` compare. */
export function settingsEtag(repo: Repo): string {
  const { id, ns, name, visibility, gated, description, defaultBranch, discussionsEnabled, deletedAt } = repo
  return etagOf([id, ns, name, visibility, gated, description, defaultBranch, discussionsEnabled, deletedAt])
}

/** Throws Problem `precondition-failed` when an `If-Match` header names other states than the present one. */
export function checkIfMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const named = ifMatch.split(',').map((one) => one.trim())
  if (!named.includes(etag))
    throw new Problem('precondition-failed', { detail: 'It has changed since you read it; read it again.' })
}
