import { isUtf8 } from 'node:buffer'
import type { ByteSource } from '../../../stores/storage/index.ts'
import { strayByte } from '../quote-path.ts'

/** Lines without their ends; bytes that are no UTF-8 come out as halves of surrogate pairs, so that no path has them. */
export async function* linesOf(source: ByteSource): AsyncGenerator<string> {
  let held = Buffer.alloc(0)
  for await (const chunk of source) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    let at = 0
    for (let end = held.indexOf(0x0a); end >= 0; end = held.indexOf(0x0a, at)) {
      yield textOf(held.subarray(at, end))
      at = end + 1
    }
    held = held.subarray(at)
  }
  if (held.length > 0) yield textOf(held)
}

function textOf(line: Buffer): string {
  if (isUtf8(line)) return line.toString('utf8')
  let text = ''
  for (let at = 0; at < line.length;) {
    const lead = line[at] ?? 0
    const sign = line.subarray(at, at + lengthOf(lead))
    text += isUtf8(sign) ? sign.toString('utf8') : strayByte(lead)
    at += isUtf8(sign) ? sign.length : 1
  }
  return text
}

/** Bytes of the character that begins with this one (RFC 3629). */
const lengthOf = (lead: number) => (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)
