import { inArray } from 'drizzle-orm'
import type { BlobFacts } from '../../core/git/index.ts'
import { readingOf } from '../../core/scanning/index.ts'
import { anyOf, inBatches, jsonRow, perTables, type Reads, type Tables } from '../../stores/db/index.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** What a verdict is about: bytes, and how they are read. */
export interface Content {
  /** SHA-256 of a large file, else the oid of the git blob. */
  content: string
  reading: string
}

/** A file of a listing. */
export interface ListedFile {
  path: string
  kind: 'file' | 'directory' | 'symlink' | 'submodule'
  oid: string
  sizeBytes: number
  lfs?: { sha256: string } | undefined
}

export type ResultRow = Tables['scan_results']['$inferSelect']

/** A verdict without its findings, which may be half a megabyte. */
export type Result = Pick<ResultRow, 'content' | 'reading' | 'version' | 'status' | 'checked'>

/** What the verdict of a file is kept by; nothing for what has no bytes of its own, which is safe. */
export const contentOf = ({ path, kind, oid, sizeBytes, lfs }: ListedFile): Content | undefined =>
  kind === 'file' && sizeBytes > 0 ? { content: lfs?.sha256 ?? oid, reading: readingOf(path) } : undefined

/** What a listing says of a blob's bytes, from its facts. */
export const sizeOf = (facts: BlobFacts | undefined) => ({
  sizeBytes: facts?.pointer?.sizeBytes ?? facts?.sizeBytes ?? 0,
  lfs: facts?.pointer,
})

export const keyOf = ({ content, reading }: Content): string => `${content} ${reading}`

const resultOf = perTables(({ scan_results: r }) =>
  jsonRow({
    content: r.content,
    reading: r.reading,
    version: r.version,
    status: r.status,
    checked: r.checked,
  }),
)

/** The verdicts there are of some contents, by `keyOf`. */
export async function findResults(
  { q, t }: Reader,
  contents: readonly Content[],
): Promise<Map<string, Result>> {
  const { scan_results: r } = t
  const rows = await inBatches(
    contents.map(({ content }) => content),
    async (some) => {
      const [found] = await q
        .select({ all: resultOf(t).all([r.content]) })
        .from(r)
        .where(anyOf(r.content, some))
      return found?.all ?? []
    },
  )
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** What was found in some contents, by `keyOf`; few at once. */
export async function findFindings(
  { q, t: { scan_results: r } }: Reader,
  contents: readonly Content[],
): Promise<Map<string, Pick<ResultRow, 'imports' | 'problems'>>> {
  const rows = await inBatches(
    contents.map(({ content }) => content),
    (some) =>
      q
        .select({ content: r.content, reading: r.reading, imports: r.imports, problems: r.problems })
        .from(r)
        .where(inArray(r.content, some)),
  )
  return new Map(rows.map((row) => [keyOf(row), row]))
}
