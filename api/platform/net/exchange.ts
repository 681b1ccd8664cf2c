import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { OutboundError, type OutboundFault } from './errors.ts'
import type { Target } from './target.ts'

/** What is sent. */
export interface Outgoing {
  method: 'GET' | 'HEAD' | 'POST'
  headers: Record<string, string>
  body?: OutgoingBody
}

/** A stream is sent as it comes, and needs a `Content-Length` among the headers. */
export type OutgoingBody = Buffer | Readable

/** How long each part may take, in milliseconds, and how much is read. */
export interface Limits {
  connectMs: number
  firstByteMs: number
  maxBytes: number
  /** What happens beyond `maxBytes`: the rest is left unread, or the answer is refused. */
  beyond: 'cut' | 'refuse'
}

/** What came back. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** An answer whose body is still to be read. */
export interface OpenAnswer {
  status: number
  headers: Record<string, string>
  /** To be read to its end, or closed. Throws `OutboundError` where the connection fails. */
  body: AsyncIterable<Buffer>
  /** Ends the connection. */
  close(): void
}

/** Sends one request to the addresses of the target alone, over a connection of its own. Throws `OutboundError`. */
export async function exchange(
  target: Target,
  outgoing: Outgoing,
  limits: Limits,
  signal: AbortSignal,
): Promise<Answer> {
  const { status, headers, body, close } = await openExchange(target, outgoing, limits, signal)
  try {
    return { status, headers, body: await read(body, limits) }
  } finally {
    close()
  }
}

/** As `exchange`, and leaves the body to be read. `signal` ends it until then, and throws its reason. */
export async function openExchange(
  target: Target,
  outgoing: Outgoing,
  limits: Pick<Limits, 'connectMs' | 'firstByteMs'>,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const stages = new Stages(target.url.protocol === 'https:')
  const send = target.url.protocol === 'https:' ? httpsRequest : httpRequest
  const { method, headers, body } = outgoing
  const request = send(target.url, {
    method,
    headers: { ...headers, ...(Buffer.isBuffer(body) ? { 'Content-Length': String(body.byteLength) } : {}) },
    agent: target.proxy ?? false,
    ...(target.proxy ? {} : { lookup: pinned(target.addresses) }),
  })
  const stop = () => request.destroy(signal.reason instanceof Error ? signal.reason : undefined)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const close = () => {
    signal.removeEventListener('abort', stop)
    request.destroy()
  }
  const explained = (error: unknown) => {
    if (signal.aborted) return signal.reason as unknown
    return error instanceof OutboundError ? error : new OutboundError(stages.faultOf(error), error)
  }
  try {
    const response = await responseTo(request, body, stages, limits)
    return {
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      body: bodyOf(response, close, explained),
      close,
    }
  } catch (error) {
    close()
    throw explained(error)
  }
}

async function* bodyOf(
  response: IncomingMessage,
  close: () => void,
  explained: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* response as AsyncIterable<Buffer>
  } catch (error) {
    throw explained(error)
  } finally {
    close()
  }
}

/** A name is not looked up again: what was checked is what is dialled. */
const pinned =
  (addresses: string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }

function responseTo(
  request: ClientRequest,
  body: OutgoingBody | undefined,
  stages: Stages,
  { connectMs, firstByteMs }: Pick<Limits, 'connectMs' | 'firstByteMs'>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const late = () => request.destroy(new OutboundError('timeout'))
    const timers = [setTimeout(late, firstByteMs), setTimeout(() => stages.isConnected || late(), connectMs)]
    const settled = () => timers.forEach((timer) => clearTimeout(timer))
    request.on('socket', (socket) => stages.watch(socket))
    request.on('response', (response) => {
      settled()
      resolve(response)
    })
    request.on('upgrade', () => request.destroy(new OutboundError('bad-answer')))
    // Also after the answer has begun: an `error` event without a listener would end the process.
    request.on('error', (error) => {
      settled()
      reject(error)
    })
    // A stream that fails destroys the request, which then has its error.
    if (body instanceof Readable) pipeline(body, request, () => undefined)
    else request.end(body)
  })
}

async function read(body: AsyncIterable<Buffer>, { maxBytes, beyond }: Limits): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length <= maxBytes) continue
    if (beyond === 'refuse') throw new OutboundError('too-large')
    break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** The codes of Node.js and OpenSSL (X509_verify_cert_error_string) for certificates and TLS itself. */
const TLS_FAULT = /CERT|SIGNATURE|^ERR_(?:SSL|TLS)_/

/** How far a connection has come, which tells what a failure means. */
class Stages {
  readonly #isSecure: boolean
  #isOpen = false
  isConnected = false

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
  }

  watch(socket: NodeJS.EventEmitter): void {
    socket.once('connect', () => {
      this.#isOpen = true
      this.isConnected ||= !this.#isSecure
    })
    socket.once('secureConnect', () => (this.isConnected = true))
  }

  faultOf(error: unknown): OutboundFault {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    // A connection by way of a proxy is seen once it is secure.
    if (!this.isConnected && TLS_FAULT.test(code)) return 'tls'
    if (!this.#isOpen) return 'unreachable'
    if (!this.isConnected) return 'tls'
    return code.startsWith('HPE_') ? 'bad-answer' : 'closed'
  }
}
