import { and, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import type { Ctx } from '../../../core/ctx.ts'
import {
  formatOf,
  inspect,
  PARSER_VERSION,
  sourceReader,
  type FileFacts,
  type Quantization,
} from '../../../core/parsers/index.ts'
import type { Db } from '../../../stores/db/index.ts'
import type { OpenedFile } from '../../content/index.ts'
import { packed, unpacked } from './packed.ts'

/** Facts in memory. Bytes, of their JSON compressed; in memory they take some ten times that. */
const MAX_MEMORY_BYTES = 8 * 1024 * 1024
/** A row that is used is touched once a day, so that `gc` sees it is in use. */
const TOUCH_MS = 24 * 3_600_000

const inMemory = (_: Db) => new LRUCache<string, FileFacts>({ maxSize: MAX_MEMORY_BYTES })

/**
 * What a file says of itself; nothing for a path without a parser. Facts are read from the bytes once per content and
 * `PARSER_VERSION`, and kept. Rejects as `inspect` does, and with the problems of the file's `open`.
 */
export async function readFacts(
  ctx: Ctx,
  file: OpenedFile,
  quantization?: Quantization,
): Promise<FileFacts | undefined> {
  const reading = readingOf(file.path, quantization)
  if (reading === undefined) return undefined
  const memory = ctx.db.keep(inMemory)
  const at = { content: file.etag, reading }
  const key = `${at.content} ${reading}`
  const known = memory.get(key)
  if (known) return known
  const stored = await findFacts(ctx, at)
  if (stored) {
    memory.set(key, stored.facts, { size: stored.sizeBytes })
    return stored.facts
  }
  const reader = sourceReader(file.sizeBytes, (range, stop) => file.open(range, stop))
  const input = { path: file.path, ...(quantization ? { quantization } : {}) }
  const facts = await inspect(input, reader, ctx.signal)
  if (!facts) return undefined
  const bytes = await packed(facts)
  if (bytes) {
    await keepFacts(ctx, at, bytes)
    memory.set(key, facts, { size: bytes.length })
  }
  return facts
}

interface Key {
  content: string
  reading: string
}

/** What facts depend on beside the bytes: the parser, which a path chooses, and what it is given. */
function readingOf(path: string, quantization: Quantization | undefined): string | undefined {
  const format = formatOf(path)
  if (format === 'config') return `config ${path.slice(path.lastIndexOf('/') + 1)}`
  if (format !== 'safetensors' || !quantization) return format
  const digest = createHash('sha256').update(JSON.stringify(quantization)).digest('hex')
  return `safetensors ${digest.slice(0, 32)}`
}

async function findFacts(
  ctx: Ctx,
  { content, reading }: Key,
): Promise<{ facts: FileFacts; sizeBytes: number } | undefined> {
  const { file_facts: f } = ctx.db.t
  const isIt = and(eq(f.content, content), eq(f.reading, reading), eq(f.version, PARSER_VERSION))
  const [row] = await ctx.db.q.select().from(f).where(isIt)
  if (!row) return undefined
  const facts = await unpacked<FileFacts>(row.facts)
  if (!facts) return undefined
  if (ctx.now().getTime() - row.touched_at.getTime() > TOUCH_MS)
    await ctx.db.write(({ q }) => q.update(f).set({ touched_at: ctx.now() }).where(isIt))
  return { facts, sizeBytes: row.facts.length }
}

async function keepFacts({ db, now }: Ctx, key: Key, facts: Buffer): Promise<void> {
  const { file_facts: f } = db.t
  const made = { version: PARSER_VERSION, facts, touched_at: now() }
  await db.write(({ q }) =>
    q
      .insert(f)
      .values({ ...key, ...made })
      .onConflictDoUpdate({ target: [f.content, f.reading], set: made }),
  )
}
