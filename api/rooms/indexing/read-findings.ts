import type { Ctx } from '../../core/ctx.ts'
import {
  filesToRead,
  findingsOf,
  licenceFile,
  shardsToRead,
  type Findings,
  type RepoFile,
} from '../../core/metadata/index.ts'
import type { FileFacts, Quantization } from '../../core/parsers/index.ts'
import type { Revision } from '../content/index.ts'
import type { Repo } from '../repos/index.ts'
import { factsAt } from './facts-at.ts'

/** Files that are looked at; the names of more would only repeat what these say. */
const MAX_FILES = 200_000
/** Files read at once. */
const LANES = 4
const MAX_LICENCE_BYTES = 2000

/** Reads what the files of a revision say (indexing.md §4). */
export async function readFindings(ctx: Ctx, at: { repo: Repo; revision: Revision }): Promise<Findings> {
  const { type } = at.repo
  const { files, licence } = await listFiles(at.revision)
  const facts = new Map<string, FileFacts>()
  const read = async (paths: string[], quantization?: Quantization) => {
    for (let i = 0; i < paths.length; i += LANES) {
      ctx.signal.throwIfAborted()
      const some = paths.slice(i, i + LANES).filter((path) => !facts.has(path))
      const found = await Promise.all(some.map((path) => factsAt(ctx, at, path, quantization)))
      for (const [n, each] of found.entries()) if (each) facts.set(some[n] ?? '', each)
    }
  }
  const paths = filesToRead(type, files)
  // How parameters count depends on the configuration.
  await read(paths.filter((path) => path === 'config.json'))
  const config = facts.get('config.json')
  const quantization = config?.format === 'config' ? config.quantization : undefined
  await read(paths, quantization)
  await read(shardsToRead(files, facts), quantization)
  const start = licence && (await at.revision.snapshot.readStart(licence, MAX_LICENCE_BYTES))
  return findingsOf({ type, files, facts, licenceText: start?.toString('utf8') })
}

/** The files of a revision, and the blob of the text of its licence. Of sizes, only those of GGUF files count. */
async function listFiles({ snapshot, commit }: Revision): Promise<{ files: RepoFile[]; licence?: string }> {
  const files: RepoFile[] = []
  let licence: string | undefined
  const root = await snapshot.entryAt(commit, '')
  if (!root) return { files }
  for await (const { path, kind, oid } of snapshot.walk(root.oid)) {
    if (kind !== 'file') continue
    if (licenceFile.test(path)) licence ??= oid
    const [blob] = /\.gguf$/i.test(path) ? await snapshot.describe([oid]) : []
    files.push({ path, sizeBytes: blob?.pointer?.sizeBytes ?? blob?.sizeBytes ?? 0 })
    if (files.length === MAX_FILES) break
  }
  return { files, ...(licence === undefined ? {} : { licence }) }
}
