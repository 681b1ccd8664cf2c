import type { ByteSource } from '../../storage/index.ts'

/** Lines without their ends; bytes that are no UTF-8 come out as lone surrogates would, so that no path has them. */
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
  const text = line.toString('utf8')
  return text.includes('\ufffd') && !Buffer.from(text).equals(line)
    ? text.replaceAll('\ufffd', '\ud800')
    : text
}
