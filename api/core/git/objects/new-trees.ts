import type { ObjectReader } from '../packs/object-reader.ts'
import type { Oid } from './oid.ts'
import type { PackWriter } from '../packs/pack-writer.ts'
import type { TreeStore } from './tree-edit.ts'
import { Tree } from './tree.ts'

/** The trees of a repo together with those being written to a pack that is not readable yet. */
export class NewTrees implements TreeStore {
  readonly #reader: ObjectReader
  readonly #writer: PackWriter
  readonly #made = new Map<string, { oid: Oid; tree: Tree }>()

  constructor(reader: ObjectReader, writer: PackWriter) {
    this.#reader = reader
    this.#writer = writer
  }

  readonly load = async (oid: Oid): Promise<Tree> =>
    this.#made.get(oid.toString('latin1'))?.tree ?? this.#reader.loadTree(oid)

  readonly save = async (bytes: Buffer): Promise<Oid> => {
    const oid = await this.#writer.add('tree', bytes)
    this.#made.set(oid.toString('latin1'), { oid, tree: Tree.parse(bytes) })
    return oid
  }

  /** Once the pack is live: the next reader of the commit finds its trees in memory. */
  publish(): void {
    for (const { oid, tree } of this.#made.values()) this.#reader.keepTree(oid, tree)
  }
}
