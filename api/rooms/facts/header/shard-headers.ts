import { posix } from 'node:path'
import type { Ctx } from '../../../core/ctx.ts'
import type { FileProblem } from '../../../core/parsers/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { openFileAt, type OpenedFile, type Revision } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { readFacts } from '../kept/kept-facts.ts'

/** Longer headers are refused by clients as well (huggingface_hub 2.4.0: SAFETENSORS_MAX_HEADER_LENGTH). Bytes. */
const MAX_HEADER_BYTES = 25_000_000
/** The largest models have a few hundred. */
const MAX_SHARDS = 2000

/** The headers of a sharded model, each checked. */
export interface ShardHeaders {
  totalSizeBytes: number | undefined
  totalParameters: number | undefined
  shards: { name: string; /** The header as JSON, in pieces. */ json: () => AsyncIterable<string> }[]
}

/**
 * The headers of all shards that an index names. Every one is checked before the first is answered. Problems: those of
 * `openFileAt` for the index and each shard, `invalid-request` for what is no index or a damaged shard.
 */
export async function openShardHeaders(
  ctx: Ctx,
  repo: Repo,
  revision: Revision,
  path: string,
): Promise<ShardHeaders> {
  const index = await readFacts(ctx, await openFileAt(ctx, repo, revision, path))
  if (index?.format !== 'safetensors-index') throw refused(`${path} is not an index of safetensors shards`)
  refuseFaults(path, index.problems)
  if (index.files.length > MAX_SHARDS) throw refused(`${path} names more than ${MAX_SHARDS} shards`)
  const shards: ShardHeaders['shards'] = []
  for (const name of index.files) {
    ctx.signal.throwIfAborted()
    const file = await openFileAt(ctx, repo, revision, posix.join(posix.dirname(path), name))
    const facts = await readFacts(ctx, file)
    if (facts?.format !== 'safetensors') throw refused(`${name} is not a safetensors file`)
    refuseFaults(name, facts.problems)
    const { headerBytes } = facts
    if (headerBytes > MAX_HEADER_BYTES)
      throw refused(`the header of ${name} has more than ${MAX_HEADER_BYTES} bytes`)
    shards.push({ name, json: () => headerText(ctx, file, headerBytes) })
  }
  return { totalSizeBytes: index.totalSizeBytes, totalParameters: index.totalParameters, shards }
}

/** The JSON begins behind the eight bytes of its length. */
async function* headerText({ signal }: Ctx, file: OpenedFile, headerBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of await file.open({ offset: 8, length: headerBytes }, signal))
    yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

function refuseFaults(name: string, problems: readonly FileProblem[]): void {
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault) throw refused(`${name} is damaged: ${fault.message.replace(/\.$/, '')}. Upload the file again`)
}

const refused = (fault: string) => new Problem('invalid-request', { detail: `${fault}.` })
