import type { Ctx } from '../../core/ctx.ts'
import { quantLabel, type GgufFacts, type GgufFile } from '../../core/parsers/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { describeEntry, openFileAt, openRevision, type Revision } from '../content/index.ts'
import { readFacts } from '../facts/index.ts'
import type { Repo } from '../repos/index.ts'

/** Files of a repo that are looked at; the largest have a few hundred. */
const MAX_FILES = 1000
/** Entries that are walked to find them. */
const MAX_ENTRIES = 20_000
/** Headers that one answer reads: beyond, quants are named by their files alone. */
const MAX_HEADERS = 64

/** A GGUF file at a commit. */
export interface StoredGguf extends GgufFile {
  oid: string
  lfs?: { sha256: string; sizeBytes: number; pointerBytes: number }
}

/** The GGUF files of a repo at a commit. */
export interface GgufFiles {
  revision: Revision
  files: StoredGguf[]
}

/** Lists the GGUF files at a revision, the default branch when left out. Problem `revision-not-found`. */
export async function listGguf(ctx: Ctx, repo: Repo, revision?: string): Promise<GgufFiles> {
  const opened = await openRevision(ctx, repo.id, revision)
  const { snapshot, commit } = opened
  const root = await snapshot.entryAt(commit, '')
  const files: StoredGguf[] = []
  let seen = 0
  for await (const entry of snapshot.walk(root?.oid ?? '')) {
    if (++seen > MAX_ENTRIES || files.length === MAX_FILES) break
    if (entry.kind !== 'file' || !/\.gguf$/i.test(entry.path)) continue
    const { sizeBytes, lfs } = await describeEntry(snapshot, entry)
    files.push({ path: entry.path, oid: entry.oid, sizeBytes, ...(lfs ? { lfs } : {}) })
  }
  return { revision: opened, files }
}

/** What the header of one file says; `undefined` for a damaged one. Problems as of `openFileAt`. */
export async function factsOfGguf(
  ctx: Ctx,
  repo: Repo,
  revision: Revision,
  path: string,
): Promise<GgufFacts | undefined> {
  const file = await openFileAt(ctx, repo, revision, path)
  try {
    const facts = await readFacts(ctx, file)
    // A list of quants needs neither keys nor tensors.
    return facts?.format === 'gguf' ? { ...facts, metadata: [], tensors: [] } : undefined
  } catch (error) {
    if (error instanceof Problem || ctx.signal.aborted) throw error
    ctx.log.info({ err: error, path }, 'the header of a GGUF file could not be read')
    return undefined
  }
}

/** Adds the headers: of all files, or of those alone whose names tell no quant, or an adapter. */
export async function withFacts(
  ctx: Ctx,
  repo: Repo,
  { revision, files }: GgufFiles,
  which: 'all' | 'unnamed',
): Promise<StoredGguf[]> {
  const known: StoredGguf[] = []
  let read = 0
  for (const file of files) {
    // The label of an adapter is that of its own tensors: it is no model at this quant.
    const isWanted = which === 'all' || quantLabel(file.path) === undefined || /lora|adapter/i.test(file.path)
    const facts =
      isWanted && read++ < MAX_HEADERS ? await factsOfGguf(ctx, repo, revision, file.path) : undefined
    known.push({ ...file, ...(facts ? { facts } : {}) })
  }
  return known
}
