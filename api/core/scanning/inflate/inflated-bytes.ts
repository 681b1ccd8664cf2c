import { FormatFault, type FileBytes } from '../../parsers/index.ts'
import { Inflate } from './inflate.ts'

/** What is inflated of one file in all, with its members: a bomb ends here. */
export class Budget {
  leftBytes: number

  constructor(bytes: number) {
    this.leftBytes = bytes
  }

  spend(bytes: number): void {
    this.leftBytes -= bytes
    if (this.leftBytes < 0)
      throw new FormatFault('scan_incomplete', 'The file unpacks to more than is looked at.')
  }
}

/** A compressed part of a file, read like any other bytes. Going back begins at the front again, which the budget pays. */
export class InflatedBytes implements FileBytes {
  readonly sizeBytes: number
  readonly #file: FileBytes
  readonly #at: number
  readonly #budget: Budget
  #stream: Inflate | undefined
  #piece: Uint8Array = new Uint8Array(0)
  #pieceAt = 0

  /** `sizeBytes` is what the part unpacks to; `measured` finds it where nothing says so. */
  constructor(file: FileBytes, at: number, sizeBytes: number, budget: Budget) {
    this.#file = file
    this.#at = at
    this.sizeBytes = sizeBytes
    this.#budget = budget
  }

  read(offset: number, length: number): Uint8Array {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - offset))
    const all = new Uint8Array(wanted)
    let filled = 0
    if (!this.#stream || offset < this.#pieceAt) this.#restart()
    while (filled < wanted) {
      const from = offset + filled - this.#pieceAt
      if (from >= this.#piece.length) {
        if (!this.#advance()) break
        continue
      }
      const bytes = this.#piece.subarray(from, from + wanted - filled)
      all.set(bytes, filled)
      filled += bytes.length
    }
    return all.subarray(0, filled)
  }

  #restart(): void {
    this.#stream = new Inflate(this.#file, this.#at)
    this.#piece = new Uint8Array(0)
    this.#pieceAt = 0
  }

  #advance(): boolean {
    const piece = this.#stream?.next()
    if (!piece) return false
    this.#budget.spend(piece.length)
    this.#pieceAt += this.#piece.length
    this.#piece = piece
    return true
  }
}

/** A deflate stream of unknown length, unpacked once to learn it; damage ends it where it begins. */
export function measured(
  file: FileBytes,
  at: number,
  budget: Budget,
): { bytes: InflatedBytes; endAt: number; isDamaged: boolean } {
  const stream = new Inflate(file, at)
  let sizeBytes = 0
  let isDamaged = false
  try {
    for (let piece = stream.next(); piece; piece = stream.next()) {
      budget.spend(piece.length)
      sizeBytes += piece.length
    }
  } catch (error) {
    if (!(error instanceof FormatFault) || error.code !== 'inflate') throw error
    isDamaged = true
  }
  return { bytes: new InflatedBytes(file, at, sizeBytes, budget), endAt: stream.endAt, isDamaged }
}
