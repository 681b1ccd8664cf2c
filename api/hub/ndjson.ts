import { Problem } from '../problems/index.ts'
import type { ByteSource } from '../storage/index.ts'

const newline = 0x0a

/**
 * The lines of newline-delimited JSON, parsed one by one, so that a commit of any size holds one line in memory. The
 * last line may lack its newline (the JavaScript client leaves it out). Problem `invalid-request` names a bad line.
 */
export async function* jsonLines(source: ByteSource, maxLineBytes: number): AsyncGenerator<unknown> {
  let pieces: Uint8Array[] = []
  let heldBytes = 0
  let number = 0
  const take = (last: Uint8Array): unknown => {
    const line = Buffer.concat([...pieces, last])
      .toString('utf8')
      .trim()
    pieces = []
    heldBytes = 0
    number++
    return line === '' ? undefined : parseLine(line, number)
  }
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const value = take(chunk.subarray(start, end))
      start = end + 1
      if (value !== undefined) yield value
    }
    const rest = chunk.subarray(start)
    heldBytes += rest.length
    if (heldBytes > maxLineBytes)
      throw new Problem('file-too-large', {
        detail: `Line ${number + 1} is longer than ${maxLineBytes} bytes.`,
      })
    // The chunk's memory may be reused by the source once it is asked for the next one.
    if (rest.length > 0) pieces.push(Uint8Array.from(rest))
  }
  const value = take(new Uint8Array())
  if (value !== undefined) yield value
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Problem('invalid-request', { detail: `Line ${number} of the body is not JSON.` })
  }
}
