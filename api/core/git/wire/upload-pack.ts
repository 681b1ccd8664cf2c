import { Problem } from '../../../platform/problems/index.ts'
import { derived, fromChunks, type ByteSource } from '../../../stores/storage/index.ts'
import { listRefs } from './adverts.ts'
import type { Git } from '../git.ts'
import { lineOf, PacketReader, pkt } from './pkt-line.ts'
import { GitFailed } from '../runner/runner.ts'
import { openSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { endingWith, type Spooled } from '../runner/spool.ts'

/** Bytes of a fetch request once inflated (git-storage.md §11). */
export const MAX_FETCH_REQUEST_BYTES = 64 * 1024 * 1024
// A client asks for a few prefixes; git itself stops looking at them at 65 536.
const MAX_LS_REFS_ARGS = 65_536

/** A fetch as it came in. */
export interface FetchRequest {
  protocol: 0 | 1 | 2
  body: Spooled
  /** Aborted when the client goes away: ends git with all it started. */
  signal: AbortSignal
  /** Gets the number of bytes of a fetch's answer, once that has ended; not of refs alone. */
  onFetched?: (bytes: number) => void
}

/**
 * Answers `POST git-upload-pack`: refs from memory, packs by real git over a throw-away layout of the snapshot. Problem
 * `invalid-request` for what is no fetch.
 */
export async function uploadPack(git: Git, snapshot: Snapshot, request: FetchRequest): Promise<ByteSource> {
  if (request.protocol !== 2 && !(await wantsAny(request.body))) return fromChunks()
  const command = request.protocol === 2 ? await commandOf(request.body) : undefined
  if (command?.name === 'ls-refs') return fromChunks(listRefs(snapshot, command.args))
  if (command && command.name !== 'fetch')
    throw new Problem('invalid-request', { detail: `The command ${command.name} is not offered.` })
  return fetchPack(git, snapshot, request)
}

/** Protocols 0 and 1 begin with what is wanted; git asks for nothing by a flush alone. */
async function wantsAny(body: Spooled): Promise<boolean> {
  const reader = new PacketReader(body.open())
  try {
    const first = await reader.next()
    if (first === 'flush' || first === 'end') return false
    if (first !== 'delimiter' && lineOf(first).startsWith('want ')) return true
    throw notAFetch()
  } finally {
    await reader.close()
  }
}

const notAFetch = (cause?: unknown) =>
  new Problem('invalid-request', { detail: 'This is no fetch that git understands.', cause })

/** `command=<name>`, capabilities, then behind a delimiter the arguments, which only `ls-refs` is read for. */
async function commandOf(body: Spooled): Promise<{ name: string; args: string[] }> {
  const reader = new PacketReader(body.open())
  try {
    const first = await reader.next()
    const name = typeof first === 'string' ? undefined : /^command=([a-z-]{1,40})$/.exec(lineOf(first))?.[1]
    if (name === undefined)
      throw new Problem('invalid-request', { detail: 'The body does not begin with a command.' })
    return { name, args: name === 'ls-refs' ? await argsOf(reader) : [] }
  } finally {
    await reader.close()
  }
}

async function argsOf(reader: PacketReader): Promise<string[]> {
  const args: string[] = []
  let isBehindDelimiter = false
  for (;;) {
    const packet = await reader.next()
    if (packet === 'flush' || packet === 'end') return args
    if (packet === 'delimiter') isBehindDelimiter = true
    else if (isBehindDelimiter) args.push(lineOf(packet))
    if (args.length > MAX_LS_REFS_ARGS) throw new Problem('body-too-large')
  }
}

async function fetchPack(
  git: Git,
  snapshot: Snapshot,
  { protocol, body, signal, onFetched }: FetchRequest,
): Promise<ByteSource> {
  const { dir, remove } = await openSkeleton(git, snapshot)
  try {
    const args = ['upload-pack', '--strict', '--stateless-rpc', '.']
    const output = await git.runner.open({ dir, args, kind: 'fetch', stdin: body.open(), signal, protocol })
    let bytes = 0
    const answer = await begun(answerOf(git, output, (sent) => (bytes += sent)))
    return endingWith(answer, async () => {
      onFetched?.(bytes)
      // The client has every byte and waits for the end alone, which need not wait for a dozen files to go.
      void remove().catch((err: unknown) =>
        git.deps.log.warn({ err, dir }, 'a layout for git was not removed'),
      )
    })
  } catch (error) {
    await remove()
    throw error
  }
}

/** The same bytes once the first have come: what git refuses without a word is reported by a status. */
async function begun(answer: AsyncGenerator<Uint8Array>): Promise<ByteSource> {
  const first = await answer.next()
  return derived([answer], async function* () {
    if (first.done) return
    yield first.value
    yield* answer
  })
}

// upload-pack.c and shallow.c, which end there without a packet; newer gits say "deepen-not is not a ref".
const SILENT_REFUSALS: [RegExp, (name: string) => string][] = [
  [
    /^fatal: git upload-pack: (?:ambiguous deepen-not|deepen-not is not a ref): (?:deepen-not )?(.*)$/m,
    (name) =>
      `"${name}" is not the name of one branch or tag here; exclude by a full one, as refs/heads/main`,
  ],
  [
    /^fatal: no commits selected for shallow requests$/m,
    () => 'no commit is left by what the fetch excludes; choose an earlier date or another ref',
  ],
]
const MAX_NAME_SHOWN = 200

/** What git writes to its log alone, in words for the person who fetches; `undefined` for everything else. */
function silentRefusal(stderr: string): string | undefined {
  for (const [form, text] of SILENT_REFUSALS) {
    const found = form.exec(stderr)
    if (found) return text((found[1] ?? '').replaceAll(/\p{C}/gu, '?').slice(0, MAX_NAME_SHOWN))
  }
  return undefined
}

/** A git that refuses a request says so to the client and then fails: that answer is whole. */
async function* answerOf(
  git: Git,
  output: ByteSource,
  onChunk: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let hasAnswered = false
  try {
    for await (const chunk of output) {
      hasAnswered = true
      onChunk(chunk.byteLength)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof GitFailed) || error.code <= 0) throw error
    const reason = silentRefusal(error.stderr)
    // Protocol 2 may have begun a section, in which the packet is understood as well.
    if (reason !== undefined) yield pkt(`ERR ${reason}\n`)
    else if (!hasAnswered) throw notAFetch(error)
    git.deps.log.info({ err: error }, 'a fetch was refused')
  }
}
