import type { Snapshot } from '../../../core/git/index.ts'
import type { Pointer } from '../../../core/lfs/index.ts'
import { Turns } from '../../../platform/flow/index.ts'

/** A Pointer and one path that leads to it. */
export interface PlacedPointer {
  pointer: Pointer
  path: string
}

/** Walks from commits to the pointers below them; what was met before is not looked at again. */
export class PointerWalk {
  readonly #snapshot: Snapshot
  readonly #seen = new Set<string>()
  readonly #turns: Turns

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
    this.#turns = new Turns(snapshot.caller)
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

  async *#below(tree: string): AsyncGenerator<PlacedPointer> {
    for await (const { oid, path } of this.#snapshot.distinctFiles(tree, this.#seen)) {
      const [facts] = await this.#snapshot.describe([oid])
      if (facts?.pointer) yield { pointer: facts.pointer, path }
    }
  }

  async #isNew(oid: string): Promise<boolean> {
    if (this.#seen.has(oid)) return false
    this.#seen.add(oid)
    if (this.#turns.isOver) await this.#turns.next()
    return true
  }
}
