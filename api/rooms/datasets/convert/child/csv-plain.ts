import type { Dialect } from './csv-text.ts'

/** Makes the bytes of a file those that are read. */
export interface Rewriter {
  take(chunk: Buffer): Buffer
  end(): Buffer
}

/** What of CSV files is read. Lines are counted as pandas counts them: blank ones too, line breaks in quotes not. */
export interface Cleaning extends Dialect {
  encoding: 'utf-8' | 'latin-1' | 'utf-16'
  /** How many lines are left out at the beginning, or which ones. */
  skipped: number | readonly number[]
  /** Rows above the header. */
  headerRows: number
  comment?: string
}

const [LF, CR] = [0x0a, 0x0d]
const nothing = Buffer.alloc(0)

/** Makes CSV files UTF-8 whose first row is the header, without comments; `undefined` where they are that already. */
export function csvRewriter(cleaning: Cleaning): (() => Rewriter) | undefined {
  const { encoding, skipped, headerRows, comment } = cleaning
  const hasLines = comment !== undefined || headerRows > 0 || skippedCount(skipped) > 0
  if (encoding === 'utf-8' && !hasLines) return undefined
  return () => new CsvRewriter(decoders[encoding](), hasLines ? new CsvLines(cleaning) : undefined)
}

const skippedCount = (skipped: Cleaning['skipped']) =>
  typeof skipped === 'number' ? skipped : Math.max(0, ...skipped.map((line) => line + 1))

class CsvRewriter implements Rewriter {
  readonly #decoder: Rewriter
  readonly #lines: CsvLines | undefined

  constructor(decoder: Rewriter, lines: CsvLines | undefined) {
    this.#decoder = decoder
    this.#lines = lines
  }

  take(chunk: Buffer): Buffer {
    return this.#kept(this.#decoder.take(chunk))
  }

  end(): Buffer {
    return this.#kept(this.#decoder.end())
  }

  #kept(plain: Buffer): Buffer {
    return this.#lines ? this.#lines.take(plain) : plain
  }
}

const decoders: Record<Cleaning['encoding'], () => Rewriter> = {
  'utf-8': () => new Started((start) => [isMarked(start) ? start.subarray(3) : start, (chunk) => chunk]),
  'latin-1': () => ({ take: (chunk) => Buffer.from(chunk.toString('latin1')), end: () => nothing }),
  'utf-16': () =>
    new Started((start) => {
      const isBig = start[0] === 0xfe && start[1] === 0xff
      const decoder = new TextDecoder(isBig ? 'utf-16be' : 'utf-16le', { fatal: true })
      const decode = (chunk?: Buffer) => Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }))
      return [decode(start), decode]
    }),
}

/** Whether a byte order mark comes first. */
const isMarked = (start: Buffer) => start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf

/** Decides by the first three bytes how all are read. */
class Started implements Rewriter {
  readonly #begin: (start: Buffer) => [Buffer, (chunk?: Buffer) => Buffer | undefined]
  #start = nothing
  #go: ((chunk?: Buffer) => Buffer | undefined) | undefined

  constructor(begin: (start: Buffer) => [Buffer, (chunk?: Buffer) => Buffer | undefined]) {
    this.#begin = begin
  }

  take(chunk: Buffer): Buffer {
    if (this.#go) return this.#go(chunk) ?? nothing
    this.#start = Buffer.concat([this.#start, chunk])
    return this.#start.length < 3 ? nothing : this.#begun()
  }

  end(): Buffer {
    const start = this.#go ? nothing : this.#begun()
    return Buffer.concat([start, this.#go?.() ?? nothing])
  }

  #begun(): Buffer {
    const [start, go] = this.#begin(this.#start)
    this.#go = go
    return start
  }
}

type Place = 'line' | 'field' | 'inside' | 'quoted' | 'closing' | 'comment'

/** Leaves out lines and comments, by the steps of pandas (pandas: pandas/_libs/src/parser/tokenizer.c). */
class CsvLines {
  readonly #isSkipped: (line: number) => boolean
  readonly #skippedCount: number
  readonly #delimiter: number | undefined
  readonly #quote: number | undefined
  readonly #escape: number | undefined
  readonly #comment: number | undefined
  #headerRows: number
  #line = 0
  #place: Place = 'line'
  /** Of the line that is read. */
  #isLeftOut = false
  #isCounted = true
  #isEscaped = false
  /** Whether the `\r` before was kept, where a `\n` behind it belongs to the same line end. */
  #return: boolean | undefined
  /** All that follows is kept. */
  #isDone = false

  constructor({ skipped, headerRows, delimiter, quote, escape, comment }: Cleaning) {
    const lines = new Set(typeof skipped === 'number' ? [] : skipped)
    this.#isSkipped = typeof skipped === 'number' ? (line) => line < skipped : (line) => lines.has(line)
    this.#skippedCount = skippedCount(skipped)
    this.#headerRows = headerRows
    this.#delimiter = delimiter.codePointAt(delimiter.length - 1)
    this.#quote = quote.codePointAt(0)
    this.#escape = escape === quote ? undefined : escape.codePointAt(0)
    this.#comment = comment?.codePointAt(0)
  }

  take(chunk: Buffer): Buffer {
    if (this.#isDone) return chunk
    const out = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (const [i, byte] of chunk.entries()) {
      if (this.#isDone) return Buffer.concat([out.subarray(0, length), chunk.subarray(i)])
      if (this.#keeps(byte)) out[length++] = byte
    }
    return out.subarray(0, length)
  }

  #keeps(byte: number): boolean {
    const wasKept = this.#return
    this.#return = undefined
    if (wasKept !== undefined && byte === LF) return wasKept
    const isEnd = byte === LF || byte === CR
    if (this.#place === 'line') {
      if (isEnd) return this.#endLine(byte, false)
      this.#beginLine(byte)
    }
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#place === 'quoted') this.#quoted(byte)
    else if (isEnd) return this.#endLine(byte, !this.#isLeftOut)
    else if (this.#place !== 'comment') this.#unquoted(byte)
    return !this.#isLeftOut && this.#place !== 'comment'
  }

  #beginLine(byte: number): void {
    this.#isCounted = !this.#isSkipped(this.#line)
    const isComment = this.#isCounted && byte === this.#comment
    this.#isLeftOut = !this.#isCounted || isComment || this.#headerRows > 0
    if (this.#isCounted && !isComment && this.#headerRows > 0) this.#headerRows--
    this.#isDone = this.#comment === undefined && !this.#isLeftOut && this.#line >= this.#skippedCount
    this.#place = 'field'
  }

  #endLine(byte: number, isKept: boolean): boolean {
    this.#line++
    this.#place = 'line'
    if (byte === CR) this.#return = isKept
    return isKept
  }

  #quoted(byte: number): void {
    if (byte === this.#escape) this.#isEscaped = true
    else if (byte === this.#quote) this.#place = 'closing'
  }

  #unquoted(byte: number): void {
    if (this.#place === 'closing' && byte === this.#quote) this.#place = 'quoted'
    else if (byte === this.#delimiter) this.#place = 'field'
    // What follows a closing quote is text, a sign of comments too.
    else if (this.#place === 'closing') this.#place = 'inside'
    else if (byte === this.#comment && this.#isCounted) this.#place = 'comment'
    // Quotes count at the beginning of a field, and everywhere in a line that is left out.
    else if (byte === this.#quote && (this.#place === 'field' || !this.#isCounted)) this.#place = 'quoted'
    else {
      if (byte === this.#escape) this.#isEscaped = true
      this.#place = 'inside'
    }
  }
}
