import {
  changesBetween,
  MODE,
  type PathEntry,
  type Snapshot,
  type TreeChange,
} from '../../../core/git/index.ts'

/** Earlier commits of a ref whose files are looked at, too: revisions that people pin. */
const MAX_HISTORY = 1000
/** Distinct trees and files on the way. */
const MAX_SEEN = 200_000

/** Every file at a commit. */
export async function* filesAt(snapshot: Snapshot, commit: string): AsyncGenerator<PathEntry> {
  const root = await snapshot.entryAt(commit, '')
  if (root) yield* snapshot.walk(root.oid)
}

/** Files that a commit has and another has not, at their paths. Tells `gone` of each path whose file went or changed. */
export async function* filesSince(
  snapshot: Snapshot,
  { from, to }: { from: string; to: string },
  gone: (path: string) => void,
): AsyncGenerator<PathEntry> {
  const changes = await changesBetween(snapshot, from, to)
  for await (const change of changes({ caller: snapshot.caller })) {
    if (change.isFolder) continue
    const path = change.dir === '' ? change.name : `${change.dir}/${change.name}`
    if (change.old) gone(path)
    const file = change.new && fileOf(change.new, path)
    if (file) yield file
  }
}

function fileOf({ name, mode, oid }: NonNullable<TreeChange['new']>, path: string): PathEntry | undefined {
  if (mode === MODE.gitlink || mode === MODE.symlink || mode === MODE.tree) return undefined
  return { path, name, mode, oid: oid.toString('hex'), kind: 'file' }
}

/** Files of up to 1000 commits before `tips`, as far as those in `known`; without those that the tips have. */
export async function* earlierFiles(
  snapshot: Snapshot,
  tips: readonly string[],
  known: ReadonlySet<string>,
): AsyncGenerator<PathEntry> {
  const trees = await earlierTrees(snapshot, tips, known)
  if (trees.length === 0) return
  const seen = new Set<string>()
  for (const sha of tips) {
    const tip = await snapshot.findCommit(sha)
    if (!tip) continue
    const files = snapshot.distinctFiles(tip.tree, seen)
    while (!(await files.next()).done) if (seen.size > MAX_SEEN) return
  }
  for (const tree of trees)
    for await (const file of snapshot.distinctFiles(tree, seen)) {
      yield file
      if (seen.size > MAX_SEEN) return
    }
}

async function earlierTrees(
  snapshot: Snapshot,
  tips: readonly string[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const first = new Set(tips)
  const seen = new Set(tips)
  const trees: string[] = []
  const waiting = [...tips]
  for (let sha = waiting.shift(); sha !== undefined; sha = waiting.shift()) {
    const commit = await snapshot.findCommit(sha)
    if (!commit) continue
    if (!first.has(sha)) trees.push(commit.tree)
    if (trees.length >= MAX_HISTORY) return trees
    for (const parent of commit.parents) {
      if (known.has(parent) || seen.has(parent)) continue
      seen.add(parent)
      waiting.push(parent)
    }
  }
  return trees
}
