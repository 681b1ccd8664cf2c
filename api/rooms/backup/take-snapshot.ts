import { createReadStream } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { Deps } from '../../core/ctx.ts'
import { namedBlobs, type NamedBlob } from '../../core/lfs/index.ts'
import {
  dumpTables,
  lastMigration,
  openDump,
  type DumpTable,
  type DumpValue,
  type Schema,
} from '../../stores/db/index.ts'
import type { BlobStore, Digest } from '../../stores/storage/index.ts'
import { writeDocument, type Line, type Snapshot } from './documents.ts'
import { FORMAT, layout, shareOf, shares } from './layout.ts'
import { putLines } from './lines.ts'
import { Steps, type OnProgress } from './progress.ts'

/** Rows that mean nothing in another place. */
const passing = new Set(['gc_holds'])

/** Marks of changes count the transactions of one server of Postgres; another counts from where it is. */
const marks = new Set(['repos.changed'])

const FLUSH_LINES = 2000

/** The wanted keys by share, put aside in files: they come in the order of the tables. */
class Wanted {
  readonly #dir: string
  readonly #held = new Map<string, string[]>(shares.map((share) => [share, []]))
  count = 0

  constructor(dir: string) {
    this.#dir = dir
  }

  async add({ key, sizeBytes, sha256, isOptional }: NamedBlob): Promise<void> {
    const share = shareOf(key)
    const held = this.#held.get(share) ?? []
    const line: Line = {
      key,
      ...(sizeBytes !== undefined && { size: sizeBytes }),
      ...(sha256 !== undefined && { sha256 }),
      ...(isOptional && { optional: true }),
    }
    held.push(JSON.stringify(line))
    this.count++
    if (held.length >= FLUSH_LINES) await this.#flush(share, held)
  }

  async lines(share: string): Promise<AsyncIterable<string>> {
    await this.#flush(share, this.#held.get(share) ?? [])
    return createInterface({ input: createReadStream(join(this.#dir, share)) })
  }

  async #flush(share: string, held: string[]): Promise<void> {
    await appendFile(
      join(this.#dir, share),
      held
        .splice(0)
        .map((line) => `${line}\n`)
        .join(''),
    )
  }
}

const named = ({ hex, sizeBytes }: Digest) => ({ sha256: hex, size: sizeBytes })

/**
 * Writes the whole database as of one moment and the list of the bytes that it names. The caller has placed the hold before,
 * so that those bytes stay.
 */
export async function takeSnapshot(
  { config, secrets, now }: Deps,
  place: BlobStore,
  { id, schema, report }: { id: string; schema: Schema; report: OnProgress },
): Promise<Snapshot> {
  const tables = dumpTables(schema).filter(({ name }) => !passing.has(name))
  await mkdir(config.server.data_dir, { recursive: true })
  const dir = await mkdtemp(join(config.server.data_dir, 'backup-'))
  const dump = await openDump(config.database)
  try {
    const taken_at = now().toISOString()
    const wanted = new Wanted(dir)
    const steps = new Steps('database', tables.length, report)
    const written: Snapshot['tables'] = []
    for (const table of tables) {
      let rows = 0
      const isMark = table.columns.map(({ name }) => marks.has(`${table.name}.${name}`))
      const digest = await putLines(place, layout.table(id, table.name), linesOf(table, dump.rows(table)))
      written.push({ ...table, rows, file: named(digest) })
      steps.add(digest.sizeBytes)

      async function* linesOf(from: DumpTable, all: AsyncIterable<DumpValue[]>): AsyncGenerator<string> {
        for await (const row of all) {
          rows++
          const cells = Object.fromEntries(from.columns.map(({ name }, i) => [name, row[i]]))
          for (const blob of namedBlobs(from.name, cells)) await wanted.add(blob)
          yield JSON.stringify(row.map((value, i) => (isMark[i] ? 0 : value)))
        }
      }
    }
    const lists: Snapshot['wanted'] = {}
    for (const share of shares)
      lists[share] = named(await putLines(place, layout.wanted(id, share), await wanted.lines(share)))
    const snapshot: Snapshot = {
      format: FORMAT,
      id,
      version: manifest.version,
      taken_at,
      engine: config.database.driver,
      migration: await lastMigration(config.database.driver),
      key_tag: secrets.tagOf('instance', 'key'),
      tables: written,
      wanted: lists,
      blobs: wanted.count,
    }
    await writeDocument(place, layout.snapshot(id), snapshot)
    return snapshot
  } finally {
    await dump.close()
    await rm(dir, { recursive: true, force: true })
  }
}
