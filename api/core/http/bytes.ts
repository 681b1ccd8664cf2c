import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import { Problem } from '../../platform/problems/index.ts'
import {
  fromChunks,
  fromWebStream,
  toWebStream,
  type ByteRange,
  type ByteSource,
} from '../../stores/storage/index.ts'
import type { Env } from './env.ts'
import { goneSignal } from './gone.ts'
import { isHead } from './head.ts'
import { gzipped } from './gzip.ts'
import { headerOf } from './header.ts'
import { wanted } from './range.ts'
import { SocketBody, STALL_MS } from './socket-body.ts'

/**
 * The request's body in the chunks it comes in, read once: stores gather what they write. On Node a `SocketBody`, which
 * must come whole within `withinMs` where that is given.
 */
export function requestBytes(c: Context<Env>, withinMs?: number): ByteSource {
  const { incoming, outgoing } = c.env ?? {}
  if (incoming && outgoing) return new SocketBody(incoming, outgoing, withinMs)
  const { body } = c.req.raw
  return body ? fromWebStream(body) : fromChunks()
}

/** The declared `Content-Length` in bytes; `undefined` for a chunked body. */
export function declaredLength(c: Context<Env>): number | undefined {
  const header = headerOf(c, 'content-length')
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/** A stored representation to answer with. */
export interface Sendable {
  sizeBytes: number
  /** Strong validator without quotes, such as a SHA-256. */
  etag?: string
  /** Sent as `Last-Modified`. */
  modifiedAt?: Date | undefined
  /** `Content-Type`, `Content-Disposition`, `Cache-Control` and whatever the surface adds. */
  headers: Record<string, string>
  /** Opens the bytes of one range, or all of them; called for GET only. */
  open(range: ByteRange | undefined, signal: AbortSignal): Promise<ByteSource> | ByteSource
  /** Hub clients refuse plain HTTP above 50 GB once HEAD names the size (hub-wire.md §4.1). */
  hidesLengthOnHead?: boolean
  /** The whole of it goes compressed, and a part of it as it is. */
  isCompressed?: boolean
}

/**
 * Answers GET or HEAD with the bytes: 200, 206, 304, or Problem `range-not-satisfiable`. On Node the bytes go straight
 * to the raw response with backpressure, so middleware must set its headers before `next()`; elsewhere by web stream.
 * Resolves when the last byte is handed over or the client has gone.
 */
export async function sendBlob(c: Context<Env>, blob: Sendable): Promise<Response> {
  const head = isHead(c)
  const etag = blob.etag === undefined ? undefined : `"${blob.etag}"`
  const headers: Record<string, string> = { 'Accept-Ranges': 'bytes', ...blob.headers }
  if (etag) headers['ETag'] = etag
  Object.assign(headers, lastModified(blob.modifiedAt))
  const want = wanted(
    (name) => (head && name === 'range' ? undefined : headerOf(c, name)),
    blob.sizeBytes,
    etag,
    blob.modifiedAt,
  )
  if (want.kind === 'changed')
    throw new Problem('precondition-failed', {
      detail: 'The file is not the one of If-Match any more. Download it from the beginning.',
    })
  if (want.kind === 'not-modified') return c.body(null, 304, headers)
  if (want.kind === 'unsatisfiable') {
    c.header('Content-Range', `bytes */${blob.sizeBytes}`)
    throw new Problem('range-not-satisfiable', { detail: `The file has ${blob.sizeBytes} bytes.` })
  }
  if (blob.isCompressed && want.kind === 'whole' && !head) return sendCompressed(c, blob, headers)
  const range = want.kind === 'part' ? want.range : undefined
  const status = range ? 206 : 200
  const contentRange = rangeHeader(c, blob.sizeBytes, range)
  if (contentRange) headers['Content-Range'] = contentRange
  if (!(head && blob.hidesLengthOnHead)) headers['Content-Length'] = String(range?.length ?? blob.sizeBytes)
  const { outgoing } = c.env ?? {}
  if (!outgoing && head) return c.body(null, status, headers)
  if (outgoing) {
    const start = { status, headers: Object.assign({}, c.get('headers'), headers) }
    return head ? headOnly(outgoing, start) : pour(c, outgoing, start, (signal) => blob.open(range, signal))
  }
  return c.body(toWebStream(await blob.open(range, goneSignal(c))), status, headers)
}

/** Compressed bytes are no ranges of the file and have no strong validator of it (RFC 9110 §8.8.3). */
function sendCompressed(
  c: Context<Env>,
  { open }: Sendable,
  { 'Accept-Ranges': _ranges, ETag: etag, ...headers }: Record<string, string>,
): Promise<Response> {
  const changed = {
    ...(etag === undefined ? {} : { ETag: `W/${etag}` }),
    'Content-Encoding': 'gzip',
    Vary: 'Accept-Encoding, Sec-Fetch-Site',
  }
  return sendStream(c, { ...headers, ...changed }, async (signal) => gzipped(await open(undefined, signal)))
}

/** The header; none for a date that is still to come, as commits may have it (RFC 9110 §8.8.2.1). */
export function lastModified(date: Date | undefined): Record<string, string> {
  return date && date.getTime() <= Date.now() ? { 'Last-Modified': httpDate(date) } : {}
}

// Files of one commit are asked for one after the other, and Node 20 takes 2 µs to write a date.
let written = { at: Number.NaN, text: '' }
function httpDate(date: Date): string {
  const at = date.getTime()
  if (at !== written.at) written = { at, text: date.toUTCString() }
  return written.text
}

/** Answers 200 with bytes of unknown number, as they come; otherwise as `sendBlob`. */
export async function sendStream(
  c: Context<Env>,
  headers: Record<string, string>,
  open: Open,
): Promise<Response> {
  const { outgoing } = c.env ?? {}
  if (outgoing) return pour(c, outgoing, { status: 200, headers: { ...c.get('headers'), ...headers } }, open)
  return c.body(toWebStream(await open(goneSignal(c))), 200, headers)
}

function rangeHeader(c: Context<Env>, sizeBytes: number, range: ByteRange | undefined): string | undefined {
  if (range) return `bytes ${range.offset}-${range.offset + range.length - 1}/${sizeBytes}`
  return sizeBytes === 0 && headerOf(c, 'range') ? 'bytes */0' : undefined
}

type Open = (signal: AbortSignal) => Promise<ByteSource> | ByteSource

interface Head {
  status: number
  headers: Record<string, string>
}

// A Response of its own costs three times the rest of a HEAD.
function headOnly(outgoing: ServerResponse, { status, headers }: Head): Response {
  outgoing.writeHead(status, headers)
  outgoing.end()
  return alreadySent()
}

async function pour(c: Context<Env>, outgoing: ServerResponse, head: Head, open: Open): Promise<Response> {
  const gone = goneSignal(c)
  const source = await open(gone)
  outgoing.writeHead(head.status, head.headers)
  // The socket's own timer sees progress inside one large write; a timer around `drain` would cut slow clients.
  outgoing.setTimeout(STALL_MS, () => outgoing.destroy())
  try {
    await writeAll(outgoing, source, gone)
  } catch (error) {
    if (!gone.aborted && !(error instanceof WriteFailed))
      c.var.ctx.log.error({ err: error }, 'a download broke off')
    outgoing.destroy()
  }
  return alreadySent()
}

/** The client has gone, a moment before that is known: no fault of ours. */
class WriteFailed extends Error {}

/** Writes chunk after chunk; sources read ahead by themselves. */
async function writeAll(outgoing: ServerResponse, source: ByteSource, gone: AbortSignal): Promise<void> {
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
      const { value } = step
      await settled(gone, (done) => outgoing.write(value, done))
      source.giveBack?.(value)
    }
    await settled(gone, (done) => outgoing.end(done))
  } finally {
    await chunks.return?.()
  }
}

/** Resolves when `act` calls back; rejects with `WriteFailed` when that is with an error, or at once when the client has gone. */
function settled(gone: AbortSignal, act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const left = () => reject(gone.reason)
    if (gone.aborted) return left()
    gone.addEventListener('abort', left)
    act((error) => {
      gone.removeEventListener('abort', left)
      if (error) reject(new WriteFailed('the write failed', { cause: error }))
      else resolve()
    })
  })
}

/**
 * The mark that tells @hono/node-server 2.1 to write nothing. Its own constant loses that meaning when middleware has
 * touched `c.res` or sets a header later, for copies go down another path; reading `body` forces the right one.
 */
function alreadySent(): Response {
  if (sentMark) return sentMark
  const response = new Response(null, RESPONSE_ALREADY_SENT)
  sentMark = response.body === null ? response : RESPONSE_ALREADY_SENT
  return sentMark
}

// One serves all: nothing of it reaches a client. Made at first use, when the server has put its Response in place.
let sentMark: Response | undefined
