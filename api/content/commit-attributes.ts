import { setImmediate as breathe } from 'node:timers/promises'
import type { CommitBuilder, Snapshot } from '../git/index.ts'
import { Attributes, lfsRule, MAX_RULES_BYTES, type AttributesFile } from './attributes.ts'
import type { Staging } from './staging.ts'

const FILE = '.gitattributes'

/** More files than this are covered by their endings, so that the rules stay few. */
const MAX_EXACT_RULES = 100
const PATHS_PER_TURN = 200

/**
 * Appends a rule to the root's `.gitattributes` for each large file no rule covers: without it `git clone` would check
 * out pointers (hub-wire.md §7.2). Called on each attempt, since the rules of a new head may be others. Rules too long
 * to be read are left as they are.
 */
export async function coverLargeFiles(
  builder: CommitBuilder,
  staging: Staging,
  paths: string[],
  { snapshot, parent }: { snapshot: Snapshot; parent: string | undefined },
): Promise<void> {
  if (paths.length === 0) return
  const read = async (path: string) => textAt(path, staging, snapshot, parent)
  const root = await read(FILE)
  if (root === 'too-long') return
  const bare = await uncovered(new Attributes(await readAttributes(read, paths)), paths)
  if (bare.length === 0) return
  const rules = bare.length > MAX_EXACT_RULES ? byEnding(bare) : bare.map((path) => lfsRule(path))
  // The bytes, since a text that is not UTF-8 would come out longer.
  const before = root?.bytes ?? Buffer.alloc(0)
  const gap = before.length === 0 || before.at(-1) === 0x0a ? '' : '\n'
  const bytes = Buffer.concat([before, Buffer.from(`${gap}${rules.join('')}`)])
  staging.addBlob(await builder.putBytes(FILE, bytes), { sizeBytes: bytes.length })
}

/** Paths among these that no rule sends through LFS. */
async function uncovered(attributes: Attributes, paths: string[]): Promise<string[]> {
  const bare: string[] = []
  for (const [i, path] of paths.entries()) {
    if (!attributes.isLfs(path)) bare.push(path)
    if (i % PATHS_PER_TURN === 0) await breathe()
  }
  return bare
}

function byEnding(paths: string[]): string[] {
  const rules = paths.map((path) => {
    const ending = /[^/](\.[A-Za-z0-9_-]+)$/.exec(path)?.[1]
    return ending === undefined ? lfsRule(path) : `*${ending} filter=lfs diff=lfs merge=lfs -text\n`
  })
  return [...new Set(rules)]
}

/** A small file's text, `too-long`, or nothing where there is no file. */
export type Text = { text: string; bytes: Buffer } | 'too-long' | undefined

/** The `.gitattributes` files that can bear on these paths: one per folder above them. */
export async function readAttributes(
  read: (path: string) => Promise<Text>,
  paths: string[],
): Promise<AttributesFile[]> {
  const dirs = new Set([''])
  for (const path of paths)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) dirs.add(path.slice(0, at))
  const files: AttributesFile[] = []
  for (const dir of dirs) {
    const found = await read(dir === '' ? FILE : `${dir}/${FILE}`)
    if (found !== undefined && found !== 'too-long') files.push({ dir, text: found.text })
  }
  return files
}

/** Text of a file as a commit holds it. */
export async function readText(
  snapshot: Snapshot,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<Text> {
  const entry = await snapshot.entryAt(commit, path)
  if (entry?.kind !== 'file') return undefined
  const sizeBytes = await snapshot.blobSize(entry.oid)
  if (sizeBytes === undefined) return undefined
  if (sizeBytes > maxBytes) return 'too-long'
  const bytes = await snapshot.readBlob(entry.oid, maxBytes)
  return bytes && { text: bytes.toString('utf8'), bytes }
}

/** The file as the commit being made will hold it. */
async function textAt(
  path: string,
  staging: Staging,
  snapshot: Snapshot,
  parent: string | undefined,
): Promise<Text> {
  const { changes } = staging
  const put = changes.puts.get(path)
  if (put) {
    const content = staging.blob(put.oid)?.content
    return content ? { text: content.toString('utf8'), bytes: content } : 'too-long'
  }
  if (parent === undefined || changes.isGone(path)) return undefined
  return readText(snapshot, parent, path, MAX_RULES_BYTES)
}
