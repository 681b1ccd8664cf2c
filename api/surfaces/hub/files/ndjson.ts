import { jsonValue } from '../../../core/http/json-text.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { ByteBuffer, type ByteSource } from '../../../stores/storage/index.ts'

const newline = 0x0a
/** A line of a commit has ten. */
const MAX_VALUES = 1000

/** The most bytes of the first line, and of each of the others. */
export interface LineLimits {
  firstBytes: number
  bytes: number
}

/**
 * The lines of newline-delimited JSON, parsed one by one, so that a commit of any size holds one line in memory. The
 * last line may lack its newline (the JavaScript client leaves it out). Problem `invalid-request` names a bad line.
 */
export async function* jsonLines(source: ByteSource, limits: LineLimits): AsyncGenerator<unknown> {
  const held = new ByteBuffer()
  let number = 1
  const hold = (piece: Uint8Array): void => {
    const maxBytes = number === 1 ? limits.firstBytes : limits.bytes
    if (held.length + piece.length > maxBytes)
      throw new Problem(number === 1 ? 'body-too-large' : 'file-too-large', {
        detail: `Line ${number} is longer than ${maxBytes} bytes.`,
      })
    held.append(piece)
  }
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end))
      start = end + 1
      const value = await parseLine(held.take(), number++)
      if (value !== undefined) yield value
    }
    hold(chunk.subarray(start))
  }
  const value = await parseLine(held.take(), number)
  if (value !== undefined) yield value
}

/** `undefined` for a line of blanks. */
const parseLine = (line: Buffer, number: number): Promise<unknown> =>
  jsonValue(line, MAX_VALUES, `Line ${number} of the body`)
