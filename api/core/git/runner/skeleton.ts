import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import type { Ref } from '../entries.ts'
import type { Git } from '../git.ts'
import { HIDDEN_REFS } from '../names.ts'
import type { Snapshot } from '../snapshot.ts'

const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[transfer]
\thideRefs = ${HIDDEN_REFS}
`

/**
 * Lays a snapshot out as a bare repository real git can read: `HEAD`, `config`, `packed-refs` and hard links to its
 * live packs (with `mayLink`, and where the file system allows; copies otherwise), a bitmap beside the largest if it has
 * one. Under 2 ms for a repo whose packs are here.
 */
export async function layOut(
  git: Git,
  snapshot: Snapshot,
  dir: string,
  { mayLink }: { mayLink: boolean },
): Promise<void> {
  const packDir = join(dir, 'objects', 'pack')
  await mkdir(packDir, { recursive: true })
  await mkdir(join(dir, 'refs'), { recursive: true })
  await writeFile(join(dir, 'HEAD'), `ref: refs/heads/${snapshot.defaultBranch}\n`)
  await writeFile(join(dir, 'config'), CONFIG)
  await writeFile(join(dir, 'packed-refs'), packedRefs(snapshot))
  await writeShallow(dir, snapshot.shallow)
  for (const pack of snapshot.packs) await git.store.bring(pack, packDir, mayLink)
  if (mayLink) await git.store.bringBitmap(snapshot.packs, packDir)
}

/** Tells git which commits have no parents here (gitrepository-layout: `shallow`). */
export async function writeShallow(dir: string, oids: ReadonlySet<string>): Promise<void> {
  const file = join(dir, 'shallow')
  // git takes a repository with an empty file for a shallow one.
  if (oids.size === 0) return rm(file, { force: true })
  await writeFile(file, [...oids].map((oid) => `${oid}\n`).join(''))
}

/** Runs `use` with a throw-away layout of the snapshot, removed afterwards. */
export async function withSkeleton<T>(
  git: Git,
  snapshot: Snapshot,
  use: (dir: string) => Promise<T>,
): Promise<T> {
  const { dir, remove } = await openSkeleton(git, snapshot)
  try {
    return await use(dir)
  } finally {
    await remove()
  }
}

/** A throw-away layout of the snapshot that stays until `remove`. */
export async function openSkeleton(
  git: Git,
  snapshot: Snapshot,
): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = join(git.store.tempDir, `${uuidv7()}.git`)
  const remove = () => rm(dir, { recursive: true, force: true })
  try {
    await layOut(git, snapshot, dir, { mayLink: true })
    return { dir, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Refs in the order git lists them: that of their names' bytes. */
export function refsInOrder(snapshot: Snapshot): Ref[] {
  return snapshot.listRefs().toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

// git-pack-refs: sorted by name, each annotated tag followed by the commit it leads to.
function packedRefs(snapshot: Snapshot): string {
  const lines = ['# pack-refs with: peeled fully-peeled sorted ']
  for (const { name, oid, commit } of refsInOrder(snapshot)) {
    lines.push(`${oid} ${name}`)
    if (commit !== oid) lines.push(`^${commit}`)
  }
  return `${lines.join('\n')}\n`
}
