import type { Ctx } from '../../../core/ctx.ts'
import type { ByteRange } from '../../../stores/storage/index.ts'
import { streamUpstream, unavailable, type Caller } from '../../upstreams/index.ts'
import { encodedName, requireReadable, type UpstreamRepo } from './describe.ts'
import { OutboundError } from '../../../platform/net/index.ts'

/** A large file of an upstream, by whatever way it sends it. */
export interface UpstreamFileSource {
  /** Its bytes, or one range of them; of the announced length or it fails with `upstream-unavailable`. */
  open(range: ByteRange | undefined, signal: AbortSignal): Promise<{ body: AsyncIterable<Uint8Array> }>
  /** Whether it answers a range with that range. */
  sendsRanges(signal: AbortSignal): Promise<boolean>
}

/** Where a file of an upstream is, at a commit. */
export interface FileAddress {
  repo: UpstreamRepo
  commit: string
  path: string
  sizeBytes: number
}

/** A file by `resolve`, which leads to where its bytes are: a CDN, a bucket, the upstream itself. */
export function resolvedFile(
  ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>,
  caller: Caller,
  { repo, commit, path, sizeBytes }: FileAddress,
): UpstreamFileSource {
  const prefix = repo.type === 'dataset' ? '/datasets/' : '/'
  const file = path.split('/').map(encodeURIComponent).join('/')
  const url = `${prefix}${encodedName(repo.name)}/resolve/${commit}/${file}`
  const ask = async (range: ByteRange | undefined, signal: AbortSignal) => {
    const headers = {
      'Accept-Encoding': 'identity',
      ...(range && { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    }
    const answer = await streamUpstream(ctx, { ...caller, signal }, url, { headers })
    if (answer.status < 200 || answer.status >= 300) {
      answer.close()
      requireReadable(caller, answer, `the file ${path} of ${repo.name}`)
    }
    return answer
  }
  return {
    async open(range, signal) {
      const answer = await ask(range, signal)
      const expected = range?.length ?? sizeBytes
      const declared = answer.headers['content-length']
      const isRange =
        range === undefined || (answer.status === 206 && startOf(answer.headers) === range.offset)
      if (!isRange || (declared !== undefined && Number(declared) !== expected)) {
        answer.close()
        throw unavailable(
          caller.upstream,
          new Error(
            `It sent ${declared ?? 'an unknown number of'} bytes of ${path}, not the ${expected} asked for.`,
          ),
        )
      }
      return { body: explained(caller, answer.body) }
    },
    async sendsRanges(signal) {
      const answer = await ask({ offset: 0, length: 1 }, signal)
      answer.close()
      return answer.status === 206
    },
  }
}

const startOf = (headers: Record<string, string>) =>
  Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN)

/** A connection that breaks is the upstream's problem. */
async function* explained({ upstream }: Caller, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw error instanceof OutboundError ? unavailable(upstream, error) : error
  }
}
