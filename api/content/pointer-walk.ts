import { setImmediate as breathe } from 'node:timers/promises'
import type { Snapshot } from '../git/index.ts'
import type { Pointer } from '../lfs/index.ts'

/** A Pointer and one path that leads to it. */
export interface PlacedPointer {
  pointer: Pointer
  path: string
}

const OBJECTS_PER_TURN = 200

/** Walks from commits to the Pointers below them; what was met before is not looked at again. */
export class PointerWalk {
  readonly #snapshot: Snapshot
  readonly #seen = new Set<string>()

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  /** Pointers in the tree of a commit; with `history` in those of all commits before it too. */
  async *from(start: string, { history }: { history: boolean }): AsyncGenerator<PlacedPointer> {
    const waiting = [start]
    for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
      if (!(await this.#isNew(sha))) continue
      const commit = await this.#snapshot.findCommit(sha)
      if (!commit) continue
      if (history) waiting.push(...commit.parents)
      yield* this.#below(commit.tree)
    }
  }

  async *#below(root: string): AsyncGenerator<PlacedPointer> {
    const waiting = [{ tree: root, prefix: '' }]
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (!(await this.#isNew(at.tree))) continue
      const { entries } = await this.#snapshot.listTree(at.tree, { limit: Infinity })
      const blobs = []
      for (const { kind, name, oid } of entries) {
        const path = `${at.prefix}${name}`
        if (kind === 'directory') waiting.push({ tree: oid, prefix: `${path}/` })
        else if (kind === 'file' && (await this.#isNew(oid))) blobs.push({ oid, path })
      }
      const facts = await this.#snapshot.describe(blobs.map(({ oid }) => oid))
      for (const [i, { path }] of blobs.entries()) {
        const pointer = facts[i]?.pointer
        if (pointer) yield { pointer, path }
      }
    }
  }

  async #isNew(oid: string): Promise<boolean> {
    if (this.#seen.has(oid)) return false
    this.#seen.add(oid)
    if (this.#seen.size % OBJECTS_PER_TURN === 0) await breathe()
    return true
  }
}
