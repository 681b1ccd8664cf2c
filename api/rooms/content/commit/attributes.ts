import type { CommitBuilder, Snapshot } from '../../../core/git/index.ts'
import { Attributes, lfsRule, MAX_RULES_BYTES, type AttributesFile } from '../patterns/attributes.ts'
import { Effort, tooManyRules } from '../patterns/effort.ts'
import type { Staging } from './staging.ts'
import type { Turns } from '../../../platform/flow/index.ts'

const FILE = '.gitattributes'

/** More files than this are covered by their endings, so that the rules stay few. */
const MAX_EXACT_RULES = 100
/** Compiled rules take 20 times as much memory. Bytes of the files above the paths of one request. */
const MAX_ALL_RULES_BYTES = 1024 * 1024

/**
 * Appends a rule to the root's `.gitattributes` for each large file no rule covers: without it `git clone` would check
 * out pointers (hub-wire.md §7.2). Called on each attempt, since the rules of a new head may be others. Rules too long
 * to be read are left as they are. Problem `validation-failed` for rules that take too long to match.
 */
export async function coverLargeFiles(
  builder: CommitBuilder,
  staging: Staging,
  paths: string[],
  { snapshot, parent }: { snapshot: Snapshot; parent: string | undefined },
): Promise<void> {
  if (paths.length === 0) return
  const tree: RulesTree = {
    isFolder: async (path) => parent !== undefined && isFolderAt(snapshot, parent, path),
    hasNewRules: [...staging.changes.puts.keys()].some((path) => path.endsWith(`/${FILE}`)),
    read: (path, isStored) => textAt(path, staging, snapshot, isStored ? parent : undefined),
  }
  const effort = new Effort()
  const root = await tree.read(FILE, true)
  if (root === 'too-long') return
  const bare = await uncovered(new Attributes(await readAttributes(tree, paths, effort)), paths, effort)
  if (bare.length === 0) return
  const rules = bare.length > MAX_EXACT_RULES ? byEnding(bare) : bare.map((path) => lfsRule(path))
  // The bytes, since a text that is not UTF-8 would come out longer.
  const before = root?.bytes ?? Buffer.alloc(0)
  const gap = before.length === 0 || before.at(-1) === 0x0a ? '' : '\n'
  const bytes = Buffer.concat([before, Buffer.from(`${gap}${rules.join('')}`)])
  await builder.putBytes(FILE, bytes)
}

/** Paths among these that no rule sends through LFS. */
async function uncovered(attributes: Attributes, paths: string[], effort: Effort): Promise<string[]> {
  const bare: string[] = []
  for (const path of paths) {
    if (!(await attributes.isLfs(path, effort))) bare.push(path)
    await effort.turn.breathe()
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

/** Where rules are read. */
export interface RulesTree {
  /** Whether a stored tree has a folder there; asked only where it has the folders above. */
  isFolder(path: string): Promise<boolean>
  /** Whether folders that are not stored may have rules: those that come with the change. */
  hasNewRules: boolean
  /** `isStored`: the stored tree has the file's folder. */
  read(path: string, isStored: boolean): Promise<Text>
}

/**
 * The `.gitattributes` files that can bear on these paths: one per folder above them. Problem `validation-failed` where
 * they have too many rules together.
 */
export async function readAttributes(
  tree: RulesTree,
  paths: string[],
  { turn }: Effort,
): Promise<AttributesFile[]> {
  const files: AttributesFile[] = []
  let bytes = 0
  for (const [dir, isStored] of await foldersAbove(tree, paths, turn)) {
    const path = dir === '' ? FILE : `${dir}/${FILE}`
    const found = await tree.read(path, isStored)
    await turn.breathe()
    if (found === undefined || found === 'too-long') continue
    bytes += found.bytes.length
    if (bytes > MAX_ALL_RULES_BYTES) throw tooManyRules(path)
    files.push({ dir, text: found.text })
  }
  return files
}

/**
 * Each folder above these paths that may have rules, and whether the stored tree has it. 25 000 new paths of 60 folders
 * each have 1.5 million, so folders are left out where none can have rules.
 */
async function foldersAbove(tree: RulesTree, paths: string[], turn: Turns): Promise<Map<string, boolean>> {
  const folders = new Map([['', true]])
  for (const path of paths) {
    let isStored = true
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const dir = path.slice(0, at)
      isStored = folders.get(dir) ?? (isStored && (await tree.isFolder(dir)))
      if (!isStored && !tree.hasNewRules) break
      folders.set(dir, isStored)
    }
    await turn.breathe()
  }
  return folders
}

/** Whether a commit has a folder at this path. */
export async function isFolderAt(snapshot: Snapshot, commit: string, path: string): Promise<boolean> {
  return (await snapshot.entryAt(commit, path))?.kind === 'directory'
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
    const content = staging.known(put.oid)?.content
    return content ? { text: content.toString('utf8'), bytes: content } : 'too-long'
  }
  if (parent === undefined || changes.isGone(path)) return undefined
  return readText(snapshot, parent, path, MAX_RULES_BYTES)
}
