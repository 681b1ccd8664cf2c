import { LRUCache } from 'lru-cache'
import type { UserActor } from '../access/index.ts'
import { actorOfSigner } from '../auth/index.ts'
import type { Ctx } from '../ctx.ts'
import type { Db } from '../db/index.ts'
import { Problem } from '../problems/index.ts'
import { requireRepoById } from '../repos/index.ts'
import type { WriteToken } from './write-token.ts'

/** Who sends chunks, checked. */
export interface ChunkWriter {
  userId: string
  repoId: string
}

/** An upload makes hundreds of calls; what was taken away since is noticed within this time (chunk-upload.md §3). */
const CHECK_EVERY_MS = 60_000
const maxKnown = 10_000

interface Checked {
  actor: UserActor
  atMs: number
}

// Per database, so that nothing is shared between the servers of one test process.
const checkedBy = new WeakMap<Db, LRUCache<string, Checked>>()

function checkedOf(db: Db): LRUCache<string, Checked> {
  const known = checkedBy.get(db)
  if (known) return known
  const made = new LRUCache<string, Checked>({ max: maxKnown })
  checkedBy.set(db, made)
  return made
}

/**
 * Whose chunks these are: the user of a write token, while the access Token behind it stands, the user is active and
 * may still write to the Repo, or read it for a pull request. Problems: `bad-credentials`, `token-expired`,
 * `forbidden`, which tells a deleted Repo from a hidden one to nobody.
 */
export async function requireWriter(
  ctx: Ctx,
  token: WriteToken,
): Promise<{ writer: ChunkWriter; actor: UserActor }> {
  const { userId, tokenId, repoId, isPull } = token
  const checked = checkedOf(ctx.db)
  const key = [userId, tokenId, repoId, isPull].join(' ')
  const nowMs = ctx.now().getTime()
  const known = checked.get(key)
  const isFresh = known !== undefined && nowMs - known.atMs < CHECK_EVERY_MS
  const actor = isFresh ? known.actor : await check(ctx, token)
  if (!isFresh) checked.set(key, { actor, atMs: nowMs })
  return { writer: { userId, repoId }, actor }
}

async function check(ctx: Ctx, token: WriteToken): Promise<UserActor> {
  const actor = await actorOfSigner(ctx, token)
  try {
    await requireRepoById(
      { ...ctx, actor },
      token.repoId,
      token.isPull ? 'repo.open-pull-request' : 'repo.commit',
    )
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.status >= 500) throw cause
    throw new Problem('forbidden', { detail: 'You may no longer upload to this repository.', cause })
  }
  return actor
}
