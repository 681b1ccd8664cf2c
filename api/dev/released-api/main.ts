// Compares the native API with the released one, and fails where callers of that would break. With --release it writes down
// the API as it is now, which is then what the next release must keep.
import { readFileSync, writeFileSync } from 'node:fs'
import { nativeRooms } from '../../app/app.ts'
import { nativeSurface } from '../../surfaces/server/frame.ts'
import { nativeDocument } from '../../surfaces/server/reference.ts'
import { breaks, type Document } from './compare.ts'

const file = new URL('released.json', import.meta.url)

/** What people read is no part of the contract, and half of the document. */
const words = new Set(['description', 'summary', 'tags', 'example', 'x-problem-codes', 'pattern', 'title'])
const isProperties = (key: string) => key === 'properties' || key === 'schemas' || key === 'paths'

function withoutWords(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !words.has(key))
      .map(([key, one]) => [key, withoutWords(one, !isNames && isProperties(key))]),
  )
}

/** Failures are catalogued by themselves. */
function withoutFailures(document: Document): Document {
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods))
      for (const status of Object.keys(operation.responses))
        if (!status.startsWith('2')) delete operation.responses[status]
  return document
}

const all = nativeDocument(nativeSurface(nativeRooms)) as unknown
const { paths, components } = withoutWords(JSON.parse(JSON.stringify(all))) as Document
const now = withoutFailures({ paths, components: { schemas: components?.schemas ?? {} } })

if (process.argv.includes('--release')) {
  writeFileSync(file, `${JSON.stringify(now)}\n`)
  process.stdout.write('Wrote api/dev/released-api/released.json.\n')
} else {
  const found = breaks(JSON.parse(readFileSync(file, 'utf8')) as Document, now)
  for (const line of found) process.stdout.write(`${line}\n`)
  if (found.length > 0)
    process.stdout.write(
      'These changes break callers of the released API. Keep the former way beside the new one and mark it with `deprecation`; at a release that may break, run: npx tsx api/dev/released-api/main.ts --release\n',
    )
  process.exitCode = found.length === 0 ? 0 : 1
}
