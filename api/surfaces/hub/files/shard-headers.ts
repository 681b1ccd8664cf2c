import type { Context } from 'hono'
import { clientCommit, openRevision } from '../../../rooms/content/index.ts'
import { openShardHeaders, type ShardHeaders } from '../../../rooms/facts/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { sendJson } from './json-stream.ts'

/**
 * `GET /api/{t}/{repo}/safetensors-metadata/{index}`: the headers of all shards at the head of the default branch
 * (huggingface_hub ≥ 2.3: get_sharded_safetensors_metadata).
 */
export async function sendShardHeaders(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const repo = await requireRepo(ctx, addressOf(c), 'repo.read')
  const revision = await openRevision(ctx, repo.id)
  const found = await openShardHeaders(ctx, repo, revision, c.req.param('file') ?? '')
  return sendJson(c, { 'X-Repo-Commit': clientCommit(revision) }, answer(found))
}

async function* answer({ totalSizeBytes, totalParameters, shards }: ShardHeaders): AsyncGenerator<string> {
  const metadata = { total_size: totalSizeBytes, total_parameters: totalParameters }
  yield `{"index":${JSON.stringify({ metadata })},"headers":{`
  for (const [i, { name, json }] of shards.entries()) {
    yield `${i > 0 ? ',' : ''}${JSON.stringify(name)}:`
    yield* json()
  }
  yield '}}'
}
