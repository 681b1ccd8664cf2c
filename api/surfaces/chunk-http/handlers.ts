import type { Context } from 'hono'
import type { Config } from '../../platform/config/index.ts'
import { declaredLength, requestBytes } from '../../core/http/bytes.ts'
import type { App, Env } from '../../core/http/env.ts'
import { isHead } from '../../core/http/head.ts'
import { headerOf } from '../../core/http/header.ts'
import { readBody } from '../../core/http/request-body.ts'
import type { ErrorSurface } from '../../core/http/surface.ts'
import { Problem } from '../../platform/problems/index.ts'
import {
  acceptShard,
  hasXorb,
  openWriteToken,
  putXorb,
  requireWriter,
  shardFrames,
  waitForShard,
  type Acceptance,
  type ChunkWriter,
  type WriteToken,
} from '../../rooms/chunk/index.ts'
import { casCallOf, casOwns, casPatterns, type CasCall } from './paths.ts'
import { closing } from '../../core/http/closing.ts'
import { casErrorResponse, errorFrame } from './view.ts'

/** What the request's `Authorization` says; signature and date alone are looked at. */
function requireToken(c: Context<Env>): WriteToken {
  const { ctx } = c.var
  if (ctx.config.hubapi.chunk !== 'ingest')
    throw new Problem('forbidden', {
      detail: 'This server refuses chunked uploads. Set HF_HUB_DISABLE_XET=1 and retry.',
    })
  const header = headerOf(c, 'authorization')
  if (!header)
    throw new Problem('unauthenticated', { detail: 'Send a write token as "Authorization: Bearer …".' })
  return openWriteToken(ctx, header.replace(/^bearer\s+/i, ''))
}

/** The caller, checked as far as a change needs; verbs find them in `ctx.actor`, too. */
async function requireCaller(c: Context<Env>): Promise<ChunkWriter> {
  const { writer, actor } = await requireWriter(c.var.ctx, requireToken(c))
  c.var.ctx.actor = actor
  return writer
}

function checkAddress({ prefix, hash }: { prefix: string; hash: string }): void {
  if (!/^[a-z0-9-]{1,32}$/.test(prefix))
    throw new Problem('invalid-request', { detail: 'The prefix must be 1 to 32 of a-z, 0-9 and -.' })
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw new Problem('invalid-request', { detail: 'The hash must be 64 lower-case hex digits.' })
}

async function handleXorb(c: Context<Env>, address: { prefix: string; hash: string }): Promise<Response> {
  const { ctx } = c.var
  const writer = await requireCaller(c)
  checkAddress(address)
  if (isHead(c)) return c.body(null, (await hasXorb(ctx, writer, address.hash)) ? 200 : 404)
  if (c.req.method !== 'POST') throw new Problem('not-found')
  const { wasInserted } = await putXorb(ctx, writer, address.hash, requestBytes(c), declaredLength(c))
  return c.json({ was_inserted: wasInserted })
}

/** Always unknown, for to know of a chunk is not to own it. Never a 5xx, which clients would try again and again. */
function handleChunk(c: Context<Env>, address: { prefix: string; hash: string }): Response {
  requireToken(c)
  checkAddress(address)
  const message = 'Files of other users are not disclosed. Send the chunk.'
  return c.json({ error: message, message }, 404)
}

/**
 * `POST /v1/xorb-grants/{prefix}/{hash}`: hf-xet since 1.8 asks first for an address in the object store to send a xorb
 * to. Chunks are checked on their way in, so there is none; 404 alone makes it send the xorb here, and of a 200 it would
 * conclude that the xorb is stored.
 */
async function handleGrant(c: Context<Env>): Promise<Response> {
  requireToken(c)
  await dropBody(c)
  const message = 'Upload grants are not offered; send the chunk container to /v1/xorbs.'
  return c.json({ error: message, message }, 404)
}

/** The sender of a manifest. */
async function requireSender(c: Context<Env>): Promise<ChunkWriter> {
  const writer = await requireCaller(c)
  if (c.req.method !== 'POST' && c.req.method !== 'PUT') throw new Problem('not-found')
  return writer
}

const accept = (c: Context<Env>, writer: ChunkWriter): Promise<Acceptance> =>
  acceptShard(c.var.ctx, writer, requestBytes(c), declaredLength(c))

/** `POST /v1/shards`, `/shards`, and `/shard/{prefix}/{hash}` of hf-xet 1.0. */
async function handleShard(c: Context<Env>): Promise<Response> {
  const acceptance = await accept(c, await requireSender(c))
  const { signal, stopping } = c.var.ctx
  await waitForShard(acceptance, AbortSignal.any([signal, stopping]))
  return c.json({ result: 1 })
}

/**
 * `POST /v2/shards`: what is too large is a status; the text of everything else, also of a quota that is used up, reaches
 * people in the stream alone.
 */
async function handleShardStream(c: Context<Env>): Promise<Response> {
  const writer = await requireSender(c)
  const gone = new AbortController()
  const toFrame = (error: unknown) => errorFrame(c, error)
  let frames: AsyncIterable<object>
  try {
    frames = shardFrames(await accept(c, writer), {
      signal: gone.signal,
      stopping: c.var.ctx.stopping,
      toFrame,
    })
  } catch (error) {
    if (error instanceof Problem && error.status === 413 && error.code !== 'quota-exceeded') throw error
    frames = fromFrame(toFrame(error))
  }
  return c.body(linesOf(frames, gone), 200, {
    'Content-Type': 'application/x-ndjson',
    'Cache-Control': 'no-cache',
    'X-Accel-Buffering': 'no',
    ...closing(c),
  })
}

async function* fromFrame(frame: object): AsyncGenerator<object> {
  yield frame
}

/** One line for each frame, handed on as soon as it is there. */
function linesOf(frames: AsyncIterable<object>, gone: AbortController): ReadableStream<Uint8Array> {
  const steps = frames[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await steps.next()
        if (gone.signal.aborted) return
        if (done) controller.close()
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
      },
      cancel: () => gone.abort(new Error('the client has gone')),
    },
    { highWaterMark: 0 },
  )
}

/** `POST /v1/telemetry`: accepted and dropped. */
async function handleTelemetry(c: Context<Env>): Promise<Response> {
  requireToken(c)
  await dropBody(c)
  return c.json({})
}

/** Reads a body to its end, since the connection is lost otherwise. */
async function dropBody(c: Context<Env>): Promise<void> {
  await readBody(c, { size: 'usual' })
}

function answer(c: Context<Env>, call: CasCall | undefined): Response | Promise<Response> {
  if (call?.kind === 'xorb') return handleXorb(c, call)
  if (call?.kind === 'chunk' && c.req.method === 'GET') return handleChunk(c, call)
  if (call?.kind === 'grant') return handleGrant(c)
  if (call?.kind === 'shard') return handleShard(c)
  if (call?.kind === 'shard-stream') return handleShardStream(c)
  if (call?.kind === 'telemetry' && c.req.method === 'POST') return handleTelemetry(c)
  requireToken(c)
  throw new Problem('not-found', { detail: 'Chunked downloads are not offered; use plain HTTP.' })
}

/** The endpoints of chunked uploads render their failures and know their callers by themselves. */
export const casSurface = (config: Config): ErrorSurface => ({
  owns: casOwns(config),
  render: casErrorResponse,
  identifiesItself: true,
  requestClass: 'upload',
})

/** Mounts the endpoints that take chunks (chunk-upload.md §5), at their default place and at `chunk.cas_url`. */
export function mountCas(app: App, config: Config): void {
  const owns = casOwns(config)
  for (const pattern of casPatterns(config))
    app.all(pattern, (c, next) => (owns(c.req.path) ? answer(c, casCallOf(c.req.path)) : next()))
}
