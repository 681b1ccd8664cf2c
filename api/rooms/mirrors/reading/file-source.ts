import type { Ctx } from '../../../core/ctx.ts'
import type { ByteRange } from '../../../stores/storage/index.ts'
import { streamUpstream, unavailable, type Caller } from '../../upstreams/index.ts'
import { encodedName, requireReadable, type UpstreamRepo } from './describe.ts'
import { OutboundError } from '../../../platform/net/index.ts'

/** A large file of an upstream, by whatever way it sends it. */
export interface UpstreamFileSource {
  /** Its bytes, or one range of them; of the announced length or it fails with `upstream-unavailable`. */
  open(range: ByteRange | undefined, signal: AbortSignal): Promise<{ body: AsyncIterable<Uint8Array> }>
  /** One range of its bytes; `undefined` where the upstream does not send ranges. */
  openRange(range: ByteRange, signal: AbortSignal): Promise<{ body: AsyncIterable<Uint8Array> } | undefined>
  /** Its bytes from an offset to its end, also where the upstream does not send ranges: then what is before is skipped. */
  openFrom(offset: number, signal: AbortSignal): Promise<{ body: AsyncIterable<Uint8Array> }>
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
  const wrongLength = (declared: string | undefined, expected: number) =>
    unavailable(
      caller.upstream,
      new Error(
        `It sent ${declared ?? 'an unknown number of'} bytes of ${path}, not the ${expected} asked for.`,
      ),
    )
  const opened = (answer: Awaited<ReturnType<typeof ask>>, range: ByteRange | undefined) => {
    const expected = range?.length ?? sizeBytes
    const declared = answer.headers['content-length']
    const isRange = range === undefined || (answer.status === 206 && startOf(answer.headers) === range.offset)
    if (isRange && (declared === undefined || Number(declared) === expected))
      return { body: explained(caller, answer.body) }
    answer.close()
    throw wrongLength(declared, expected)
  }
  return {
    async open(range, signal) {
      return opened(await ask(range, signal), range)
    },
    async openRange(range, signal) {
      const answer = await ask(range, signal)
      if (answer.status === 206) return opened(answer, range)
      answer.close()
      return undefined
    },
    async openFrom(offset, signal) {
      const range = offset === 0 ? undefined : { offset, length: sizeBytes - offset }
      const answer = await ask(range, signal)
      const isRange = answer.status === 206 && startOf(answer.headers) === offset
      const expected = isRange ? sizeBytes - offset : sizeBytes
      const declared = answer.headers['content-length']
      if ((declared !== undefined && Number(declared) !== expected) || (answer.status === 206 && !isRange)) {
        answer.close()
        throw wrongLength(declared, expected)
      }
      const body = explained(caller, answer.body)
      return { body: isRange ? body : skipped(body, offset) }
    },
  }
}

const startOf = (headers: Record<string, string>) =>
  Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN)

async function* skipped(body: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of body) {
    if (chunk.length > left) yield left > 0 ? chunk.subarray(left) : chunk
    left = Math.max(0, left - chunk.length)
  }
}

/** A connection that breaks is the upstream's problem. */
async function* explained({ upstream }: Caller, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw error instanceof OutboundError ? unavailable(upstream, error) : error
  }
}
