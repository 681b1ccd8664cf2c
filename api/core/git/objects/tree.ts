import { CorruptObject } from '../errors.ts'
import { OID_BYTES, type Oid } from './oid.ts'

/** The five modes a tree may hold, as git writes them. */
export const MODE = {
  file: 0o100644,
  executable: 0o100755,
  symlink: 0o120000,
  tree: 0o40000,
  gitlink: 0o160000,
} as const

/** One line of a tree. `name` is the UTF-8 reading of `nameBytes`; the bytes are what counts when rewriting. */
export interface TreeEntry {
  mode: number
  name: string
  oid: Oid
}

const SPACE = 0x20
const SLASH = 0x2f
const EMPTY = Buffer.alloc(0)

/**
 * A tree object read in place: entries are `<octal mode> <name>\0<20 bytes oid>`, sorted by name bytes with
 * folders compared as `name/` (gitformat-tree). Only the entry starts are indexed, so a tree of 10 000 entries costs
 * its bytes plus 40 KB and a look-up is two binary searches.
 */
export class Tree {
  readonly bytes: Buffer
  readonly #starts: Uint32Array

  private constructor(bytes: Buffer, starts: Uint32Array) {
    this.bytes = bytes
    this.#starts = starts
  }

  static readonly empty = new Tree(EMPTY, new Uint32Array([0]))

  /** Throws `CorruptObject` when an entry is cut short or malformed. */
  static parse(bytes: Buffer): Tree {
    const starts: number[] = []
    let at = 0
    while (at < bytes.length) {
      starts.push(at)
      const nul = bytes.indexOf(0, at)
      if (nul < 0 || nul + 1 + OID_BYTES > bytes.length) throw new CorruptObject('tree entry cut short')
      const space = bytes.indexOf(SPACE, at)
      if (space <= at || space > at + 6 || space >= nul - 1) throw new CorruptObject('malformed tree entry')
      at = nul + 1 + OID_BYTES
    }
    starts.push(at)
    return new Tree(bytes, Uint32Array.from(starts))
  }

  get length(): number {
    return this.#starts.length - 1
  }

  /** Byte offset at which entry `i` starts; for `i = length` the end. */
  startOf(i: number): number {
    const start = this.#starts[i]
    if (start === undefined) throw new RangeError(`no tree entry ${i}`)
    return start
  }

  nameBytes(i: number): Buffer {
    const start = this.startOf(i)
    return this.bytes.subarray(this.bytes.indexOf(SPACE, start) + 1, this.startOf(i + 1) - OID_BYTES - 1)
  }

  mode(i: number): number {
    const start = this.startOf(i)
    let mode = 0
    for (let at = start; this.bytes[at] !== SPACE; at++) mode = mode * 8 + ((this.bytes[at] ?? 0) - 0x30)
    return mode
  }

  oid(i: number): Oid {
    const end = this.startOf(i + 1)
    return this.bytes.subarray(end - OID_BYTES, end)
  }

  entry(i: number): TreeEntry {
    return { mode: this.mode(i), name: this.nameBytes(i).toString('utf8'), oid: this.oid(i) }
  }

  *entries(from = 0): Generator<TreeEntry> {
    for (let i = from; i < this.length; i++) yield this.entry(i)
  }

  /** The entry of this name, file or folder. */
  find(name: string): TreeEntry | undefined {
    const i = this.indexOf(name)
    return i === undefined ? undefined : this.entry(i)
  }

  /** Position of the entry of this name. */
  indexOf(name: string): number | undefined {
    const wanted = Buffer.from(name, 'utf8')
    for (const asFolder of [false, true]) {
      const i = this.position(wanted, asFolder)
      if (i < this.length && (this.mode(i) === MODE.tree) === asFolder && this.nameBytes(i).equals(wanted))
        return i
    }
    return undefined
  }

  /** Position behind the entry of this name, or where such an entry would lie. */
  positionBehind(name: string): number {
    const i = this.indexOf(name)
    return i === undefined ? this.position(Buffer.from(name, 'utf8'), false) : i + 1
  }

  /** First position whose entry does not sort before `name` (taken as a folder or as a file). */
  position(name: Buffer, asFolder: boolean): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareNames(this.nameBytes(middle), this.mode(middle) === MODE.tree, name, asFolder) < 0)
        low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Git's tree order: bytes, with a folder's name followed by `/`. */
export function compareNames(a: Buffer, aIsFolder: boolean, b: Buffer, bIsFolder: boolean): number {
  const shared = Math.min(a.length, b.length)
  const order = a.compare(b, 0, shared, 0, shared)
  if (order !== 0) return order
  const nextA = a[shared] ?? (aIsFolder ? SLASH : 0)
  const nextB = b[shared] ?? (bIsFolder ? SLASH : 0)
  return nextA - nextB || a.length - b.length
}

/** Bytes of one tree entry. */
export function serializeEntry(mode: number, name: Buffer, oid: Oid): Buffer {
  return Buffer.concat([Buffer.from(`${mode.toString(8)} `, 'latin1'), name, Buffer.from([0]), oid])
}

/** Object bytes of a tree made of these entries, in any order. Names must be unique. */
export function serializeTree(entries: TreeEntry[]): Buffer {
  const rows = entries.map((entry) => ({ ...entry, bytes: Buffer.from(entry.name, 'utf8') }))
  rows.sort((a, b) => compareNames(a.bytes, a.mode === MODE.tree, b.bytes, b.mode === MODE.tree))
  return Buffer.concat(rows.map((row) => serializeEntry(row.mode, row.bytes, row.oid)))
}
