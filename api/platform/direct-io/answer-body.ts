import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type OnReadOpts, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ReadMemory, reuse } from './read-memory.ts'
import { directIo } from './switch.ts'

type Connected = (error: Error | null, stream: Duplex) => void

/** Who takes a socket's bytes in place of Node's HTTP parser, if anybody does. */
interface Tap {
  sink: AnswerBody | undefined
}

const taps = new WeakMap<Socket, Tap>()

/** Where bytes for the parser are read to; it gets a copy at once, so all sockets share it. */
const entry = Buffer.allocUnsafeSlow(64 * 1024)

/** Lets `onread` of a new socket (`net.Socket`, `tls.connect`) go on to the parser, until a `AnswerBody` takes it over. */
function tapped(connect: (onread: OnReadOpts) => Duplex | null | undefined): Duplex | null | undefined {
  const tap: Tap = { sink: undefined }
  const socket = connect({
    buffer: () => tap.sink?.room() ?? entry,
    callback: (count, bytes) => {
      const read = bytes.subarray(0, count)
      return tap.sink ? tap.sink.take(read) : (socket?.push(Buffer.from(read)) ?? false)
    },
  })
  if (socket instanceof Socket) taps.set(socket, tap)
  return socket
}

class DirectHttpAgent extends HttpAgent {
  override createConnection(options: ClientRequestArgs, connected?: Connected): Duplex | null | undefined {
    return tapped((onread) => {
      const all = { ...options, onread }
      return super.createConnection(all, connected)
    })
  }
}

class DirectHttpsAgent extends HttpsAgent {
  override createConnection(options: ClientRequestArgs, connected?: Connected): Duplex | null | undefined {
    return tapped((onread) => {
      const all = { ...options, onread }
      return super.createConnection(all, connected)
    })
  }
}

/** Agents over whose sockets a body may be read directly. */
export function directAgents(options: AgentOptions): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  if (!directIo.isOn) return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) }
  return { httpAgent: new DirectHttpAgent(options), httpsAgent: new DirectHttpsAgent(options) }
}

/**
 * The rest of an answer's body, read from its socket into chunks of up to 1 MiB. Node's parser and streams would hand it on in
 * copies of 64 KiB at most, which took more than twice the CPU time of a download. The parser never hears the answer's
 * end, so the connection is of no further use and closed.
 */
export class AnswerBody {
  readonly #answer: IncomingMessage
  readonly #socket: Socket
  readonly #touch: () => void
  readonly #ready: Uint8Array[] = []
  readonly #memory = new ReadMemory(this)
  #left: number
  /** What is being filled, once bytes come. */
  #chunk: Uint8Array | undefined
  #filled = 0
  /** What the reader has. */
  #given: Uint8Array | undefined
  /** Until then the parser may still hand over what came with the headers, so the first bytes go elsewhere. */
  #hasBegun = false
  /** While a full chunk waits: as one is written out, one more comes in. */
  #isPaused = true
  #failure: Error | undefined
  #waiting: { resolve: (chunk: Uint8Array | undefined) => void; reject: (error: Error) => void } | undefined

  /** `undefined` for answers that did not come over one of the agents. */
  static of(answer: unknown, sizeBytes: number, touch: () => void): AnswerBody | undefined {
    const tap = answer instanceof IncomingMessage ? taps.get(answer.socket) : undefined
    // Parsed to its end, it has no socket any more, and nothing is left to be read from there.
    if (!tap || !(answer instanceof IncomingMessage) || answer.complete) return undefined
    return new AnswerBody(answer, tap, sizeBytes, touch)
  }

  private constructor(answer: IncomingMessage, tap: Tap, sizeBytes: number, touch: () => void) {
    this.#answer = answer
    this.#socket = answer.socket
    this.#touch = touch
    this.#left = sizeBytes
    tap.sink = this
    const ended = () => this.#fail(new Error('the connection has ended'))
    this.#socket.on('error', (error) => this.#fail(error)).on('end', ended)
    this.#socket.on('close', ended)
    this.#takeParsed()
    // The parser may have paused it: asking for the next chunk resumes it.
    this.#socket.pause()
    this.#isPaused = true
  }

  /** Where the next bytes are wanted. */
  room(): Uint8Array {
    return this.#hasBegun && this.#left > 0 ? this.#filling().subarray(this.#filled) : entry
  }

  /** Takes bytes that came, in the room that was named or anywhere else; answers whether more are wanted now. */
  take(bytes: Uint8Array): boolean {
    this.#touch()
    if (!this.#hasBegun) this.#takeParsed()
    this.#hasBegun = true
    this.#add(bytes)
    this.#isPaused = this.#ready.length > 0
    return !this.#isPaused
  }

  /** What the parser has handed over, and what waits on the socket for it. */
  #takeParsed(): void {
    for (;;) {
      // The parser hears of them.
      if (this.#answer.readableLength === 0 && this.#socket.readableLength > 0) this.#socket.read()
      const bytes = this.#answer.read() as Buffer | null
      if (!bytes) return
      this.#add(bytes)
    }
  }

  #add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#left > 0;) {
      const chunk = this.#filling()
      const count = Math.min(bytes.length - at, chunk.length - this.#filled)
      if (bytes.buffer !== chunk.buffer) chunk.set(bytes.subarray(at, at + count), this.#filled)
      at += count
      this.#filled += count
      this.#left -= count
      if (this.#left === 0 || this.#filled === chunk.length) this.#handOver()
    }
    if (this.#left === 0) this.#socket.destroy()
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#given) this.#memory.release(this.#given)
    this.#given = undefined
    this.#given = await this.#next()
    if (!this.#given) this.#memory.releaseAll()
    return this.#given
  }

  #next(): Promise<Uint8Array | undefined> {
    const chunk = this.#ready.shift()
    if (this.#isPaused && this.#left > 0 && this.#ready.length === 0) {
      this.#isPaused = false
      this.#socket.resume()
    }
    if (chunk) return Promise.resolve(chunk)
    if (this.#left === 0) return Promise.resolve(undefined)
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  giveBack(chunk: Uint8Array): void {
    reuse(chunk)
  }

  destroy(error: Error = new Error('the reader has left')): void {
    this.#fail(error)
    this.#socket.destroy()
    this.#memory.releaseAll()
  }

  #handOver(): void {
    const chunk = this.#filling().subarray(0, this.#filled)
    this.#filled = 0
    this.#chunk = undefined
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting.resolve(chunk)
    else this.#ready.push(chunk)
  }

  #filling(): Uint8Array {
    this.#chunk ??= this.#memory.take(this.#left)
    return this.#chunk
  }

  /** What came before is handed over first, so that another connection can continue after it. */
  #fail(error: Error): void {
    if (this.#failure || this.#left === 0) return
    this.#failure = error
    if (this.#filled > 0) this.#handOver()
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}
