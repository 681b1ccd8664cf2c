import type { Context } from 'hono'
import { sendStream } from '../../../core/http/bytes.ts'
import type { Env } from '../../../core/http/env.ts'
import type { ByteSource } from '../../../stores/storage/index.ts'

/** Answers up to this length go out whole, with their length. */
const CHUNK_CHARS = 256 * 1024

/** Answers with JSON that comes in pieces. Of a long answer little more is held than what is being sent. */
export async function sendJson(
  c: Context<Env>,
  headers: Record<string, string>,
  pieces: AsyncIterable<string>,
): Promise<Response> {
  const chunks = inChunks(pieces)
  const first = await chunks.next()
  const second = first.done ? first : await chunks.next()
  const all = { 'Content-Type': 'application/json', ...headers }
  if (second.done) return c.body(first.value ?? '', 200, all)
  return sendStream(c, all, () => bytesOf([first.value ?? '', second.value], chunks))
}

async function* bytesOf(read: string[], rest: AsyncIterable<string>): ByteSource {
  for (const chunk of read) yield Buffer.from(chunk)
  for await (const chunk of rest) yield Buffer.from(chunk)
}

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let held: string[] = []
  let length = 0
  for await (const piece of pieces) {
    held.push(piece)
    length += piece.length
    if (length < CHUNK_CHARS) continue
    yield held.join('')
    held = []
    length = 0
  }
  yield held.join('')
  return undefined
}

/** An object's JSON with `siblings` put behind what it holds; an object without any is given as it is. */
export async function* withSiblings(
  view: Record<string, unknown>,
  siblings: AsyncIterable<string> | undefined,
): AsyncGenerator<string> {
  const text = JSON.stringify(view)
  if (!siblings) return yield text
  // Every answer about a repo has its ids, so that there is something to put a comma behind.
  yield `${text.slice(0, -1)},"siblings":`
  yield* siblings
  yield '}'
}
