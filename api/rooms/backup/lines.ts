import { Readable, pipeline } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import { hashing, StoreError, type BlobStore, type Digest } from '../../stores/storage/index.ts'

const CHUNK_CHARS = 64 * 1024

/** Lines joined, so that a compressor is not called for each. */
async function* joined(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let held: string[] = []
  let chars = 0
  for await (const line of lines) {
    held.push(line, '\n')
    chars += line.length
    if (chars < CHUNK_CHARS) continue
    yield held.join('')
    held = []
    chars = 0
  }
  if (held.length > 0) yield held.join('')
}

/** Stores lines as a gzip file; answers size and SHA-256 of what was stored. */
export async function putLines(
  place: BlobStore,
  key: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Digest> {
  const zip = createGzip({ level: 5 })
  // A failure of the lines destroys the compressor, whose reader then hears of it.
  pipeline(Readable.from(joined(lines)), zip, () => undefined)
  const hashed = hashing(zip, 'sha256')
  await place.put(key, hashed.source)
  return hashed.digest()
}

/** The lines of such a file. */
export async function* readLines(place: BlobStore, key: string): AsyncGenerator<string> {
  const source = Readable.from(await place.read(key))
  const unzip = createGunzip()
  pipeline(source, unzip, () => undefined)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    // Node's readline would also split at U+2028, which JSON leaves as it is.
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') throw new StoreError('corrupt', key, 'its last line is cut off')
  } finally {
    source.destroy()
    unzip.destroy()
  }
}
