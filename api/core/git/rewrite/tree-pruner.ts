import { LRUCache } from 'lru-cache'
import { Turns } from '../../../platform/flow/index.ts'
import { OID_BYTES, type Oid } from '../objects/oid.ts'
import { MODE, Tree } from '../objects/tree.ts'
import type { LoadTree } from '../objects/tree-walk.ts'

/** Trees whose outcome is remembered, about 200 bytes each. What is forgotten is worked out again. */
const MAX_REMEMBERED = 200_000

/** What becomes of an entry: it stays, it goes, or it is this tree now. */
type Outcome = 'same' | 'gone' | Oid

/** Takes blobs out of trees, wherever they lie. Folders that this leaves empty go too, as git keeps none. */
export class TreePruner {
  readonly #load: LoadTree
  readonly #save: (bytes: Buffer) => Promise<Oid>
  readonly #unwanted: ReadonlySet<string>
  readonly #turns: Turns
  readonly #known = new LRUCache<string, Outcome>({ max: MAX_REMEMBERED })

  /** `unwanted`: oids, by `latin1`. */
  constructor(
    { load, save }: { load: LoadTree; save: (bytes: Buffer) => Promise<Oid> },
    unwanted: ReadonlySet<string>,
    signal: AbortSignal,
  ) {
    this.#load = load
    this.#save = save
    this.#unwanted = unwanted
    this.#turns = new Turns({ signal })
  }

  /** The tree of a commit without the blobs; the same oid where it holds none. */
  async root(oid: Oid): Promise<Oid> {
    const outcome = await this.#folder(oid)
    if (outcome === 'gone') return this.#save(Tree.empty.bytes)
    return outcome === 'same' ? oid : outcome
  }

  async #folder(oid: Oid): Promise<Outcome> {
    const key = oid.toString('latin1')
    const known = this.#known.get(key)
    if (known) return known
    const bytes = await this.#without(await this.#load(oid))
    const outcome = !bytes ? 'same' : bytes.length === 0 ? 'gone' : await this.#save(bytes)
    this.#known.set(key, outcome)
    return outcome
  }

  /** The bytes of a tree without the blobs; nothing where none of them is there. */
  async #without(tree: Tree): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    let kept = 0
    for (let i = 0; i < tree.length; i++) {
      if (this.#turns.isOver) await this.#turns.next()
      const mode = tree.mode(i)
      const now = mode === MODE.tree ? await this.#folder(tree.oid(i)) : this.#file(mode, tree.oid(i))
      if (now === 'same') continue
      parts.push(tree.bytes.subarray(tree.startOf(kept), tree.startOf(i)))
      kept = i + 1
      // The name of a folder stays, and with it its place.
      if (now !== 'gone')
        parts.push(tree.bytes.subarray(tree.startOf(i), tree.startOf(kept) - OID_BYTES), now)
    }
    if (kept === 0) return undefined
    return Buffer.concat([...parts, tree.bytes.subarray(tree.startOf(kept))])
  }

  #file(mode: number, oid: Oid): Outcome {
    return mode !== MODE.gitlink && this.#unwanted.has(oid.toString('latin1')) ? 'gone' : 'same'
  }
}
