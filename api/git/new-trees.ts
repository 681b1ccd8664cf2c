import type { ObjectReader } from './object-reader.ts'
import { hashObject, type Oid } from './oid.ts'
import type { PackWriter } from './pack-writer.ts'
import type { TreeStore } from './tree-edit.ts'
import { Tree } from './tree.ts'

/** The trees of a Repo together with those being written to a pack that nobody can read yet. */
export class NewTrees implements TreeStore {
  readonly #reader: ObjectReader
  readonly #writer: PackWriter
  readonly #made = new Map<string, Buffer>()

  constructor(reader: ObjectReader, writer: PackWriter) {
    this.#reader = reader
    this.#writer = writer
  }

  readonly load = async (oid: Oid): Promise<Tree> => {
    const made = this.#made.get(oid.toString('latin1'))
    return made ? Tree.parse(made) : this.#reader.loadTree(oid)
  }

  readonly save = async (bytes: Buffer): Promise<Oid> => {
    this.#made.set(hashObject('tree', bytes).toString('latin1'), bytes)
    return this.#writer.add('tree', bytes)
  }
}
