import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../core/ctx.ts'
import { typePathOf } from '../repos/index.ts'
import type { ChunkTarget, LfsAction } from '../uploads/index.ts'
import { mintWriteToken, tokenHeaders } from './write-token.ts'

/**
 * What an LFS batch says of every object that is to come as chunks (chunk-upload.md §4): where another token is had, and
 * one to begin with, for clients that read it here. The caller has been authorised for the target.
 */
export function chunkAction(ctx: Ctx, { repo, revision, isPull }: ChunkTarget): LfsAction {
  const token = mintWriteToken(ctx, { repoId: repo.id, revision, isPull })
  const path = `/api/${typePathOf(repo.type)}/${repo.ns}/${repo.name}/xet-write-token`
  const at = encodeURIComponent(revision ?? repo.defaultBranch)
  const query = revision === undefined ? '?create_pr=1' : ''
  return {
    href: `${ctx.config.server.public_url}${path}/${at}${query}`,
    header: { ...tokenHeaders(token), 'X-Xet-Session-Id': randomUUID() },
    expires_in: Math.floor(ctx.config.chunk.token_ttl / 1000),
  }
}
