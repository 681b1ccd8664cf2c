import { Turns } from '../../../platform/flow/index.ts'
import type { Snapshot } from '../../../core/git/index.ts'

/** Sums over all files below a folder; LFS files with their real size. */
export interface Sums {
  bytes: number
  files: number
}

/** Adds up folders. Each distinct one is read once, however often it appears. */
export class TreeSums {
  readonly #snapshot: Snapshot
  readonly #known = new Map<string, Sums>()
  readonly #turns: Turns

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
    this.#turns = new Turns(snapshot.caller)
  }

  async of(tree: string): Promise<Sums> {
    const known = this.#known.get(tree)
    if (known) return known
    const { entries } = await this.#snapshot.listTree(tree, { limit: Infinity })
    const sums = { bytes: 0, files: 0 }
    for (const { kind, oid } of entries) {
      if (kind === 'submodule') continue
      if (this.#turns.isOver) await this.#turns.next()
      const { bytes, files } = kind === 'directory' ? await this.of(oid) : await this.#file(oid)
      sums.bytes += bytes
      sums.files += files
    }
    this.#known.set(tree, sums)
    return sums
  }

  async #file(oid: string): Promise<Sums> {
    const [facts] = await this.#snapshot.describe([oid])
    return { bytes: facts?.pointer?.sizeBytes ?? facts?.sizeBytes ?? 0, files: 1 }
  }
}
