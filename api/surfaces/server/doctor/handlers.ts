import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import manifest from '../../../package.json' with { type: 'json' }
import type { App, Env } from '../../../core/http/env.ts'
import { headerOf } from '../../../core/http/header.ts'
import { problemResponse } from '../../../core/http/problem-response.ts'
import type { ErrorSurface } from '../../../core/http/surface.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { adviceFor, clientOf, type Advice } from './clients.ts'
import { credentialsOf } from './credentials.ts'

const base = '/-/doctor'
/** Bodies are counted and dropped; enough to notice the usual limits of proxies. */
const MAX_BODY_BYTES = 4 * 2 ** 20

/** Wrong credentials are no error here: the answer says what is wrong with them. */
export const doctorSurface: ErrorSurface = {
  owns: (path) => path === base || path.startsWith(`${base}/`),
  render: problemResponse,
  identifiesItself: true,
}

/** How long the body is, and how long it took from its first piece to its last. */
async function measureBody(c: Context<Env>): Promise<{ body_bytes: number; body_ms: number }> {
  let bytes = 0
  let first: number | undefined
  let last = 0
  for await (const chunk of c.req.raw.body ?? []) {
    last = performance.now()
    first ??= last
    bytes += (chunk as Uint8Array).length
    if (bytes > MAX_BODY_BYTES) throw new Problem('body-too-large', { detail: 'Send at most 4 MiB.' })
  }
  return { body_bytes: bytes, body_ms: Math.round(last - (first ?? last)) }
}

/** What the way to this server did to a request. */
function passageAdvice(c: Context<Env>): Advice[] {
  const { config, origin } = c.var.ctx
  const advice: Advice[] = []
  const expected = new URL(config.server.public_url).origin
  if (origin.baseUrl !== expected)
    advice.push({
      text: `This request was for ${origin.baseUrl}; links in answers name ${expected}.`,
      fix: `Use ${expected}. If you did, the proxy must set X-Forwarded-Proto and X-Forwarded-Host and be one of server.trusted_proxies.`,
    })
  if (headerOf(c, 'x-forwarded-for') !== undefined && config.server.trusted_proxies.length === 0)
    advice.push({
      text: 'A proxy forwarded this request, and server.trusted_proxies is empty: all its clients count as one.',
      fix: 'List the address of the proxy in server.trusted_proxies.',
    })
  return advice
}

async function answer(c: Context<Env>) {
  const { config, now, origin } = c.var.ctx
  const client = clientOf(origin.userAgent)
  const range = headerOf(c, 'range')
  const auth = await credentialsOf(c)
  return c.json(
    {
      server: {
        name: 'arsenal',
        // Strangers need not know which weaknesses to look up.
        ...(auth.user !== undefined && { version: manifest.version }),
        public_url: config.server.public_url,
        time: now().toISOString(),
      },
      client: client ?? null,
      auth,
      request: {
        id: origin.requestId,
        method: c.req.method,
        path: new URL(c.req.url).pathname,
        address: origin.ip,
        base_url: origin.baseUrl,
        http_version: c.env?.incoming?.httpVersion ?? null,
        ...(range !== undefined && { range }),
        accept_encoding: headerOf(c, 'accept-encoding') ?? null,
        ...(await measureBody(c)),
      },
      advice: [...(client ? adviceFor(client) : []), ...passageAdvice(c)],
    },
    200,
    { 'Cache-Control': 'no-store' },
  )
}

/** Pieces of an answer and the time between them: long enough to tell a proxy that holds them back. */
const PIECES = 4
const PIECE_MS = 300

/** Lines that come one by one, each with the milliseconds since the first. */
function pieces(c: Context<Env>) {
  c.header('Content-Type', 'text/plain; charset=utf-8')
  c.header('Cache-Control', 'no-store')
  return stream(c, async (out) => {
    const began = performance.now()
    for (let sent = 0; sent < PIECES && !out.aborted; sent++) {
      if (sent > 0) await out.sleep(PIECE_MS)
      await out.write(`${Math.round(performance.now() - began)}\n`)
    }
  })
}

/** `GET /-/doctor` says what of a client's request arrived here, what is known of its version, and how to fix it. */
export function mountDoctor(app: App): void {
  app.get(`${base}/pieces`, pieces)
  for (const path of [base, `${base}/*`]) app.on(['GET', 'POST'], path, answer)
}
