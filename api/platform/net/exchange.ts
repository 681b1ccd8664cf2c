import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { OutboundError, type OutboundFault } from './errors.ts'
import type { Target } from './target.ts'

/** What is sent. */
export interface Outgoing {
  method: 'GET' | 'HEAD' | 'POST'
  headers: Record<string, string>
  body?: Buffer
}

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

/** Sends one request to the addresses of the target alone, over a connection of its own. Throws `OutboundError`. */
export async function exchange(
  target: Target,
  outgoing: Outgoing,
  limits: Limits,
  signal: AbortSignal,
): Promise<Answer> {
  const stages = new Stages(target.url.protocol === 'https:')
  const send = target.url.protocol === 'https:' ? httpsRequest : httpRequest
  const { method, headers, body } = outgoing
  const request = send(target.url, {
    method,
    headers: { ...headers, ...(body ? { 'Content-Length': String(body.byteLength) } : {}) },
    agent: false,
    lookup: pinned(target.addresses),
  })
  const stop = () => request.destroy(signal.reason instanceof Error ? signal.reason : undefined)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const response = await responseTo(request, body, stages, limits)
    return {
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      body: await read(response, limits),
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof OutboundError ? error : new OutboundError(stages.faultOf(error), error)
  } finally {
    signal.removeEventListener('abort', stop)
    request.destroy()
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
  body: Buffer | undefined,
  stages: Stages,
  { connectMs, firstByteMs }: Limits,
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
    request.end(body)
  })
}

async function read(response: IncomingMessage, { maxBytes, beyond }: Limits): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
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
    if (!this.#isOpen) return 'unreachable'
    if (!this.isConnected) return 'tls'
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return code.startsWith('HPE_') ? 'bad-answer' : 'closed'
  }
}
