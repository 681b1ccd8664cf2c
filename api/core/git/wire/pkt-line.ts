import { cancel, derived, type ByteSource } from '../../../stores/storage/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

/*
 * git's framing (Documentation/gitprotocol-common.txt): four hex digits give the length of a packet with themselves,
 * 0000 is a flush, 0001 a delimiter, 0002 the end of a response.
 */
const HEADER_BYTES = 4
const MAX_PACKET_BYTES = 65_520

/** Ends a section of packets. */
export const FLUSH = Buffer.from('0000')

/** One packet of text or bytes, of at most 65 516. */
export function pkt(content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const header = (bytes.length + HEADER_BYTES).toString(16).padStart(HEADER_BYTES, '0')
  return Buffer.concat([Buffer.from(header), bytes])
}

/** Bands of `side-band-64k`: the answer itself, and what git shows as `remote: …`. */
export const band = { data: 1, message: 2 } as const

/** Bytes on a band, in as many packets as they need. */
export function banded(number: number, bytes: Buffer): Buffer {
  const room = MAX_PACKET_BYTES - HEADER_BYTES - 1
  const packets: Buffer[] = []
  for (let at = 0; at < bytes.length; at += room)
    packets.push(pkt(Buffer.concat([Buffer.of(number), bytes.subarray(at, at + room)])))
  return Buffer.concat(packets)
}

/** Keeps a connection from looking dead while there is nothing to say: an empty packet on the first band. */
export const KEEP_ALIVE = Buffer.from('0005\x01')

/** A packet's content; or what kind of mark it is; `end` where the input ends between packets. */
export type Packet = Buffer | 'flush' | 'delimiter' | 'end'

const malformed = () => new Problem('invalid-request', { detail: 'The body is not in git’s packet format.' })

/** Reads packets off a stream, and gives the bytes behind them. */
export class PacketReader {
  readonly #source: ByteSource
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: ByteSource) {
    this.#source = source
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** The next packet. Problem `invalid-request` when there is none. */
  async next(): Promise<Packet> {
    if (!(await this.#fill(1))) return 'end'
    if (!(await this.#fill(HEADER_BYTES))) throw malformed()
    const header = this.#take(HEADER_BYTES).toString('latin1')
    if (!/^[0-9a-fA-F]{4}$/.test(header)) throw malformed()
    const length = Number.parseInt(header, 16)
    if (length === 0) return 'flush'
    if (length === 1) return 'delimiter'
    if (length < HEADER_BYTES || length > MAX_PACKET_BYTES) throw malformed()
    if (!(await this.#fill(length - HEADER_BYTES))) throw malformed()
    return this.#take(length - HEADER_BYTES)
  }

  /** What has not been read yet; no packet can be read afterwards. */
  rest(): ByteSource {
    const chunks = this.#chunks
    const held = this.#held
    return derived([this.#source], async function* () {
      if (held.length > 0) yield held
      for (let step = await chunks.next(); !step.done; step = await chunks.next()) yield step.value
    })
  }

  /** Gives the source up where nothing more is to be read. */
  async close(): Promise<void> {
    await (this.#chunks.return ? this.#chunks.return() : cancel(this.#source))
  }

  async #fill(bytes: number): Promise<boolean> {
    while (this.#held.length < bytes) {
      const step = await this.#chunks.next()
      if (step.done) return false
      this.#held = Buffer.concat([this.#held, step.value])
    }
    return true
  }

  #take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return taken
  }
}

/** A packet as a line of text, without the newline that may end it. */
export const lineOf = (packet: Buffer): string => packet.toString('utf8').replace(/\n$/, '')
