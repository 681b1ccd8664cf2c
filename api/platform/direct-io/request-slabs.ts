import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { copyBytes, type Slab, takeSlab } from './slabs.ts'
import { directIo } from './switch.ts'

/**
 * Least bytes for which a connection is deleted afterwards: another one costs about 0.2 ms, and Node's chunks 5 ms for
 * so many.
 */
const MIN_BYTES = 8 * 1024 * 1024

/** As long as Node's adapter drains an unread body (@hono/node-server). */
const LINGER_MS = 500

/** Slabs that wait for their reader before the socket is left alone. */
const MAX_WAITING = 2

type Socket = IncomingMessage['socket']

/** What is used of a connection's handle, which Node does not document; whether it is there is looked at. */
interface Handle {
  bytesRead: number
  onread: (memory?: ArrayBuffer) => Uint8Array | undefined
  useUserBuffer(memory: Uint8Array): void
  readStart(): void
  readStop(): void
}

/** The parser that the connection's bytes go to. */
interface Parser {
  unconsume(): void
}

/**
 * Fills slabs with a request's body by reading the socket straight into them. Node's own way copies each 64 KiB into fresh
 * memory, which costs three times the CPU time and has the whole heap looked through for every 64 MiB that came.
 * The parser never learns where the body ends, so the answer is the connection's last.
 */
export class RequestSlabs {
  readonly #socket: Socket
  readonly #handle: Handle
  /** What Node does at each read. */
  readonly #onNodesRead: Handle['onread']
  readonly #onChange: () => void
  readonly #full: Slab[] = []
  readonly #areLarge: boolean
  #slab: Slab
  #filled = 0
  /** Bytes still to come. */
  #left: number
  #seenBytes: number
  #isReading = false
  #isLeft = false
  #lingering: NodeJS.Timeout | undefined

  private constructor(socket: Socket, handle: Handle, left: number, onChange: () => void, areLarge: boolean) {
    this.#socket = socket
    this.#handle = handle
    this.#onNodesRead = handle.onread
    this.#left = left
    this.#areLarge = areLarge
    this.#slab = this.#nextSlab()
    this.#seenBytes = handle.bytesRead
    this.#onChange = onChange
  }

  /**
   * Takes the connection over; `undefined` where the body is small, of unknown length, or not to be had in this way.
   * `onChange` hears when there may be a slab. Slabs are large where asked and to be had.
   */
  static async open(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    onChange: () => void,
    areLarge = false,
  ): Promise<RequestSlabs | undefined> {
    const { socket, headers } = incoming
    const length = Number(headers['content-length'])
    if (!directIo.isOn || !(length >= MIN_BYTES) || headers['transfer-encoding'] !== undefined)
      return undefined
    // Not from within the parser, nor while it has bytes in its hands.
    await nextTurn()
    const handle = handleOf(socket)
    const parser = parserOf(socket)
    if (!handle || !parser || incoming.destroyed || outgoing.headersSent) return undefined
    const begun = incoming.readableLength
    if (length - begun < MIN_BYTES / 2) return undefined
    outgoing.setHeader('Connection', 'close')
    const slabs = new RequestSlabs(socket, handle, length - begun, onChange, areLarge)
    const before = incoming.read(begun) as Uint8Array | null
    slabs.#begin(before ?? new Uint8Array(0), parser)
    return slabs
  }

  /** The next slab; `undefined` while there is none. */
  take(): Slab | undefined {
    const slab = this.#full.shift()
    if (this.#full.length < MAX_WAITING && this.#left > 0) this.#start()
    return slab
  }

  /** Every slab was taken and no bytes come. */
  get isWhole(): boolean {
    return this.#left === 0 && this.#full.length === 0
  }

  /**
   * The reader has left. What still comes is dropped, and the connection lingers a little after the answer: a reset would take
   * it from a sender who is still at it.
   */
  leave(): void {
    if (this.#isLeft) return
    this.#isLeft = true
    this.#full.length = 0
    if (this.#left === 0 || this.#socket.destroyed) return
    this.#filled = 0
    const close = this.#socket.destroySoon.bind(this.#socket)
    this.#socket.destroySoon = () => {
      if (this.#left === 0) close()
      else this.#lingering ??= setTimeout(close, LINGER_MS).unref()
    }
    this.#start()
  }

  #begin(before: Uint8Array, parser: Parser): void {
    copyBytes(this.#slab, 0, before)
    this.#filled = before.length
    parser.unconsume()
    this.#handle.onread = () => this.#onRead()
    this.#handle.useUserBuffer(this.#room())
    this.#start()
  }

  #start(): void {
    if (this.#isReading) return
    this.#isReading = true
    this.#handle.readStart()
  }

  #stop(): void {
    this.#isReading = false
    this.#handle.readStop()
  }

  /** Answers where the next bytes go, never more than the body's. */
  #onRead(): Uint8Array | undefined {
    const bytes = this.#handle.bytesRead - this.#seenBytes
    this.#seenBytes += bytes
    // Nothing has come yet, or the other side has ended or reset the connection: which it is, Node alone can see.
    if (bytes <= 0) return this.#onNodesRead.call(this.#handle)
    if (this.#left > 0) this.#take(bytes)
    if (this.#left > 0) return this.#room()
    this.#stop()
    return nowhere
  }

  #take(bytes: number): void {
    this.#left -= bytes
    if (!this.#isLeft) {
      this.#filled += bytes
      if (this.#left === 0 || this.#filled === this.#slab.length) this.#turn()
    } else if (this.#left === 0 && this.#lingering) this.#socket.destroySoon()
  }

  #turn(): void {
    this.#full.push(this.#slab.subarray(0, this.#filled))
    if (this.#left > 0) {
      this.#slab = this.#nextSlab()
      this.#filled = 0
      if (this.#full.length >= MAX_WAITING) this.#stop()
    }
    this.#onChange()
  }

  #nextSlab(): Slab {
    return takeSlab(this.#areLarge ? this.#left : undefined)
  }

  #room(): Uint8Array {
    return this.#slab.subarray(this.#filled, Math.min(this.#slab.length, this.#filled + this.#left))
  }
}

/** Where bytes go that come after the body: the slab has another owner by then. */
const nowhere = new Uint8Array(1)

function handleOf(socket: Socket): Handle | undefined {
  const handle: unknown = 'encrypted' in socket ? undefined : Reflect.get(socket, '_handle')
  const isKnown =
    typeof handle === 'object' &&
    handle !== null &&
    'bytesRead' in handle &&
    'onread' in handle &&
    ['useUserBuffer', 'readStart', 'readStop'].every(
      (name) => typeof Reflect.get(handle, name) === 'function',
    )
  return isKnown ? (handle as Handle) : undefined
}

function parserOf(socket: Socket): Parser | undefined {
  const parser: unknown = Reflect.get(socket, 'parser')
  const isKnown =
    typeof parser === 'object' && parser !== null && typeof Reflect.get(parser, 'unconsume') === 'function'
  return isKnown ? (parser as Parser) : undefined
}
