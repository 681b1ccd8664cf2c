import { LRUCache } from 'lru-cache'
import { CorruptObject, ObjectTooLarge } from '../errors.ts'
import type { MadePack } from '../packs/finished-pack.ts'
import type { HeldObjects } from '../packs/held-pack.ts'
import type { ObjectReader } from '../packs/object-reader.ts'
import { parseCommit, parseTag } from '../objects/objects.ts'
import { oidFromHex, type ObjectType, type Oid } from '../objects/oid.ts'
import { Pack, type PackedObject } from '../packs/pack.ts'
import { Tree } from '../objects/tree.ts'
import { PackIndex } from '../packs/pack-index.ts'

/** What an oid of a push is, and the commit it leads to in the end. */
export interface Peeled {
  type: ObjectType
  commit?: string
}

const BASES_BYTES = 4 * 1024 * 1024
/** Of commits, tags, pointers and trees: a folder of 100 000 entries with the longest names has 28 MB. */
const MAX_OBJECT_BYTES = 32 * 1024 * 1024
/** Tags of tags of … */
const MAX_TAGS = 10
/** Steps back along first parents before git is asked, which costs several times as much. */
const MAX_NEAR = 200

/** Objects of a repo and of a pack that has been taken in and has no other reader yet, without asking git. */
export class IncomingObjects {
  readonly #reader: ObjectReader
  #pack: Pack | undefined
  #held: HeldObjects | undefined

  constructor(reader: ObjectReader) {
    this.#reader = reader
  }

  /** From now on also what is in this pack, which git has accepted. */
  add(pack: MadePack): void {
    this.close()
    const bases = new LRUCache<string, PackedObject>({
      maxSize: BASES_BYTES,
      sizeCalculation: ({ content }) => content.length + 100,
    })
    const index = PackIndex.parse(pack.index, pack.sha1)
    this.#pack = new Pack('incoming', pack.path, index, bases, MAX_OBJECT_BYTES)
  }

  /** From now on also these, which are in order. */
  hold(objects: HeldObjects): void {
    this.#held = objects
  }

  close(): void {
    this.#pack?.close()
  }

  /** `undefined` when it is nowhere, or larger than 32 MiB in the new pack. */
  async read(oid: string): Promise<PackedObject | undefined> {
    const held = this.#held?.get(oid)
    if (held) return held
    const offset = this.#pack?.find(oidFromHex(oid))
    if (this.#pack === undefined || offset === undefined) return this.#reader.read(oidFromHex(oid))
    try {
      return await this.#pack.read(offset)
    } catch (error) {
      if (error instanceof ObjectTooLarge) return undefined
      throw error
    }
  }

  /** A tree that a commit refers to. Throws `CorruptObject` when it is not there. */
  readonly loadTree = async (oid: Oid): Promise<Tree> => {
    const hex = oid.toString('hex')
    const found = await this.read(hex)
    if (found?.type !== 'tree') throw new CorruptObject(`the tree ${hex} is missing`)
    return Tree.parse(found.content)
  }

  /** The parents that a commit names, here or not; `undefined` where it is no commit that is here. */
  async parentsOf(oid: string): Promise<string[] | undefined> {
    const found = await this.read(oid)
    if (found?.type !== 'commit') return undefined
    return parseCommit(found.content).parents.map((parent) => parent.toString('hex'))
  }

  /** Follows tags to what they name; `undefined` when something is missing. */
  async peel(oid: string): Promise<Peeled | undefined> {
    let at = oid
    let first: ObjectType | undefined
    for (let tags = 0; tags <= MAX_TAGS; tags++) {
      const type = await this.#typeOf(at)
      first ??= type
      if (first === undefined || type === undefined) break
      if (type === 'commit') return { type: first, commit: at }
      const tag = type === 'tag' ? await this.read(at) : undefined
      if (!tag) break
      at = parseTag(tag.content).object.toString('hex')
    }
    return first && { type: first }
  }

  /** Whether `from` is one of the last commits before `to`; `false` says nothing. */
  async isNear(from: string, to: string): Promise<boolean> {
    for (let at = to, steps = 0; steps <= MAX_NEAR; steps++) {
      if (at === from) return true
      const found = await this.read(at)
      const parent = found?.type === 'commit' ? parseCommit(found.content).parents[0] : undefined
      if (!parent) return false
      at = parent.toString('hex')
    }
    return false
  }

  async #typeOf(oid: string): Promise<ObjectType | undefined> {
    const held = this.#held?.get(oid)
    if (held) return held.type
    const offset = this.#pack?.find(oidFromHex(oid))
    if (this.#pack && offset !== undefined) return this.#pack.stat(offset).type
    return (await this.#reader.stat(oidFromHex(oid)))?.type
  }
}
