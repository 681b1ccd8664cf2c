import type { Context } from 'hono'
import { mintWriteToken, tokenHeaders } from '../../../rooms/chunk/index.ts'
import { openRevision } from '../../../rooms/content/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, requireQuota } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { flagOf } from '../wire/params.ts'

// Of a refusal hf-xet shows the status and the last URL alone, so the URL says what to do (chunk-upload.md §4).
const refusalPath = '/chunked-uploads-are-disabled/set-HF_HUB_DISABLE_XET=1-and-retry'
const refusal = 'This server refuses chunked uploads. Set HF_HUB_DISABLE_XET=1.'

const isPullRef = (revision: string) => /^refs\/pr\/\d{1,9}$/.test(revision)

/** Problem `revision-not-found`, unless there is nothing yet in the repo that could be found. */
async function checkRevision(ctx: Ctx, repoId: string, revision: string): Promise<void> {
  try {
    await openRevision(ctx, repoId, revision)
  } catch (error) {
    const isEmpty = (await ctx.git.open(repoId)).listRefs().length === 0
    if (!isEmpty) throw error
  }
}

/**
 * `GET /api/{t}/{repo}/xet-write-token[/{rev}][?create_pr=1]`, also as `chunk-write-token`: the right to send chunks for
 * this repo, as JSON and as headers, since every client reads one of them (chunk-upload.md §3). The Python client asks
 * for the revision `None` when it is to open a pull request.
 */
export async function issueWriteToken(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  if (ctx.config.hubapi.chunk !== 'ingest') return c.redirect(refusalPath, 307)
  const revision = c.req.param('rev')
  const isPull = flagOf(c.req.query('create_pr')) || (revision !== undefined && isPullRef(revision))
  const repo = await requireRepo(ctx, addressOf(c), isPull ? 'repo.open-pull-request' : 'repo.commit')
  if (revision !== undefined && revision !== 'None' && !isPullRef(revision))
    await checkRevision(ctx, repo.id, revision)
  // How much will come is not known here; a caller without any quota left need not begin.
  await requireQuota(ctx, repo.id, { bytes: 1 })
  const token = mintWriteToken(ctx, { repoId: repo.id, revision, isPull })
  return c.json(token, 200, { ...tokenHeaders(token), 'Cache-Control': 'no-store' })
}

/** Where a refused client ends up. */
export async function refuseChunks(c: Context<Env>): Promise<Response> {
  if (c.var.ctx.config.hubapi.chunk === 'ingest') throw new Problem('not-found')
  throw new Problem('forbidden', { detail: refusal })
}

const offersChunksAlone = (userAgent: string): boolean => {
  const [, major, minor] = /\bhf_hub\/(\d{1,4})\.(\d{1,4})/.exec(userAgent) ?? []
  return major !== undefined && (Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 20))
}

/**
 * From 1.20 on the Python client never asks before it sends chunks, and of a refusal shows no text; but it shows people
 * this header of the plan of an upload with such large files (hub-wire.md §8.4).
 */
export function chunkWarning({ config, origin }: Ctx, sizesBytes: number[]): Record<string, string> {
  if (sizesBytes.length === 0 || !offersChunksAlone(origin.userAgent)) return {}
  if (config.hubapi.chunk !== 'ingest') return { 'X-HF-Warning': `xet; ${refusal}` }
  const max = config.chunk.max_file_size
  if (sizesBytes.every((sizeBytes) => sizeBytes <= max)) return {}
  const limit = `This server takes files of at most ${max} bytes in chunks.`
  return { 'X-HF-Warning': `xet; ${limit} Set HF_HUB_DISABLE_XET=1 to send larger ones.` }
}
