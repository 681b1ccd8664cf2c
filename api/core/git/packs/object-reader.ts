import { parsePointer, POINTER_MAX_BYTES, POINTER_MIN_BYTES } from '../../lfs/pointer.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Caller } from '../../../platform/flow/index.ts'
import type { ByteRange, ByteSource } from '../../../stores/storage/index.ts'
import type { Logger } from '../../../platform/telemetry/index.ts'
import { CorruptObject, ObjectTooLarge, PackQuarantined } from '../errors.ts'
import { cacheKey, type BlobFacts, type ObjectCache } from './object-cache.ts'
import { parseCommit, parseTag, type Commit, type Tag } from '../objects/objects.ts'
import { EMPTY_TREE, type ObjectType, type Oid } from '../objects/oid.ts'
import type { Pack, PackedObject } from './pack.ts'
import type { PackRow } from './pack-row.ts'
import type { PackStore } from './pack-store.ts'
import type { RepoState } from '../repo-state.ts'
import { isCacheFull, isMendable, receivedFrom } from '../store-problem.ts'
import { Tree } from '../objects/tree.ts'

const FACTS_BYTES = 200
// A commit holds four strings and two people beside its message and its parents.
const COMMIT_OVERHEAD_BYTES = 600
const PARENT_BYTES = 120
// Once for a swapped pack list, once more for a damaged or evicted cache file.
const MAX_RETRIES = 2

const commitBytes = ({ message, parents }: Commit): number =>
  message.length * 2 + parents.length * PARENT_BYTES + COMMIT_OVERHEAD_BYTES
const treeBytes = (tree: Tree): number => tree.bytes.length + tree.length * 4 + 100

/** What the object readers of one process share. */
export interface ReaderDeps {
  store: PackStore
  cache: ObjectCache
  log: Logger
}

interface PackList {
  /** Newest first. */
  rows: PackRow[]
  lastHit: PackRow | undefined
}

/**
 * The objects of one repo, found in its live packs, newest first. An oid found in none makes the pack list be read once
 * more, since a compaction may have swapped it. Packs the store cannot give end as Problem `store-unavailable` or, when
 * they are surely gone or damaged, as `internal` with an alert in the log: never as "not found".
 */
export class ObjectReader {
  readonly repoId: string
  /** Who reads. Once they have gone, reading what is not in memory throws the reason of their signal. */
  readonly caller: Caller
  readonly #deps: ReaderDeps
  readonly #reload: () => Promise<PackRow[]>
  readonly #pruneSeq: number
  readonly #shallow: ReadonlySet<string>
  /** Shared by the readers of one view. */
  #packs: PackList

  constructor(
    deps: ReaderDeps,
    { repoId, pruneSeq, packs, shallow }: Pick<RepoState, 'repoId' | 'pruneSeq' | 'packs' | 'shallow'>,
    reload: () => Promise<PackRow[]>,
    caller: Caller = {},
  ) {
    this.#deps = deps
    this.caller = caller
    this.repoId = repoId
    this.#pruneSeq = pruneSeq
    this.#shallow = shallow
    this.#packs = { rows: packs, lastHit: undefined }
    this.#reload = reload
  }

  /** The same objects, read for a caller. */
  readFor(caller: Caller): ObjectReader {
    const { repoId } = this
    const view = { repoId, pruneSeq: this.#pruneSeq, packs: this.#packs.rows, shallow: this.#shallow }
    const reader = new ObjectReader(this.#deps, view, this.#reload, caller)
    reader.#packs = this.#packs
    return reader
  }

  /** The same objects, with another beginning of the history. */
  from(shallow: ReadonlySet<string>): ObjectReader {
    const view = { repoId: this.repoId, pruneSeq: this.#pruneSeq, packs: this.#packs.rows, shallow }
    const reader = new ObjectReader(this.#deps, view, this.#reload, this.caller)
    reader.#packs = this.#packs
    return reader
  }

  /** The whole object in memory. Problem `file-too-large` beyond what this process rebuilds. */
  read(oid: Oid): Promise<PackedObject | undefined> {
    return this.#withPack(oid, (pack, offset) => pack.read(offset))
  }

  /** As `read`, without another look at the catalogue for what the packs of this moment lack, as most objects asked for do. */
  async readHere(oid: Oid): Promise<PackedObject | undefined> {
    this.caller.signal?.throwIfAborted()
    try {
      return (await this.#inPacks(oid, (pack, offset) => pack.read(offset)))?.value
    } catch (error) {
      throw this.#problemOf(error, oid)
    }
  }

  stat(oid: Oid): Promise<{ type: ObjectType; sizeBytes: number } | undefined> {
    return this.#withPack(oid, async (pack, offset) => pack.stat(offset))
  }

  stream(oid: Oid, range?: ByteRange): Promise<ByteSource | undefined> {
    return this.#withPack(oid, (pack, offset) => pack.stream(offset, range))
  }

  /** `undefined` when the repo lacks it or it is no commit. Parents that are not here are left out. */
  async findCommit(oid: Oid): Promise<Commit | undefined> {
    const commit = await this.#parsed(oid, 'commit', parseCommit, commitBytes)
    return commit && this.isShallow(oid) ? { ...commit, parents: [] } : commit
  }

  /** Whether the history here begins with this commit, though it goes on at the upstream. */
  isShallow(oid: Oid): boolean {
    return this.#shallow.size > 0 && this.#shallow.has(oid.toString('hex'))
  }

  async findTag(oid: Oid): Promise<Tag | undefined> {
    return this.#parsed(oid, 'tag', parseTag, ({ message }) => message.length * 2 + COMMIT_OVERHEAD_BYTES)
  }

  async findTree(oid: Oid): Promise<Tree | undefined> {
    if (oid.equals(EMPTY_TREE)) return Tree.empty
    return this.#parsed(oid, 'tree', Tree.parse, treeBytes)
  }

  /** Remembers a tree that has just become part of the repo, so that the next reader need not inflate it. */
  keepTree(oid: Oid, tree: Tree): void {
    this.#deps.cache.set(this.#key(oid, 'tree'), { value: tree, bytes: treeBytes(tree) })
  }

  /** A tree some object of the repo refers to, so it must be there. */
  readonly loadTree = async (oid: Oid): Promise<Tree> => (await this.findTree(oid)) ?? this.#lost(oid)

  /** Size of a blob and what it points at; without reading contents of 1 KiB and more. */
  async findFacts(oid: Oid): Promise<BlobFacts | undefined> {
    const key = this.#key(oid, 'facts')
    const cached = this.#deps.cache.get(key)
    if (cached) return cached.value as BlobFacts
    const facts = await this.#withPack(oid, async (pack, offset) => {
      const { type, sizeBytes } = pack.stat(offset)
      if (type !== 'blob') return undefined
      const pointer =
        sizeBytes >= POINTER_MIN_BYTES && sizeBytes < POINTER_MAX_BYTES
          ? parsePointer((await pack.read(offset)).content)
          : undefined
      return { sizeBytes, ...(pointer && { pointer }) }
    })
    if (facts) this.#deps.cache.set(key, { value: facts, bytes: FACTS_BYTES })
    return facts
  }

  async #parsed<T extends Commit | Tag | Tree>(
    oid: Oid,
    type: ObjectType,
    parse: (content: Buffer) => T,
    sizeOf: (value: T) => number,
  ): Promise<T | undefined> {
    const key = this.#key(oid, type)
    const cached = this.#deps.cache.get(key)
    // The key holds the type, and only this function sets such keys.
    if (cached) return cached.value as T
    const object = await this.read(oid)
    if (object?.type !== type) return undefined
    const value = parse(object.content)
    this.#deps.cache.set(key, { value, bytes: sizeOf(value) })
    return value
  }

  #key(oid: Oid, kind: ObjectType | 'facts'): string {
    return cacheKey(this.repoId, this.#pruneSeq, kind, oid)
  }

  async #withPack<T>(oid: Oid, use: (pack: Pack, offset: number) => Promise<T>): Promise<T | undefined> {
    for (let attempt = 0; ; attempt++) {
      this.caller.signal?.throwIfAborted()
      try {
        const result = await this.#inPacks(oid, use)
        if (result) return result.value
        if (attempt > 0) return undefined
      } catch (error) {
        if (attempt === MAX_RETRIES || !isMendable(error)) throw this.#problemOf(error, oid)
      }
      this.#packs.rows = await this.#reload()
      this.#packs.lastHit = undefined
    }
  }

  async #inPacks<T>(
    oid: Oid,
    use: (pack: Pack, offset: number) => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    let isDamaged = false
    for (const row of this.#inOrder()) {
      if (row.corruptAt) {
        isDamaged = true
        continue
      }
      const pack = this.#deps.store.peek(row.id) ?? (await this.#deps.store.open(row))
      const offset = pack.find(oid)
      if (offset === undefined) continue
      this.#packs.lastHit = row
      try {
        return { value: await use(pack, offset) }
      } catch (error) {
        if (error instanceof CorruptObject) await this.#deps.store.discard(row)
        throw error
      }
    }
    if (isDamaged) throw new PackQuarantined()
    return undefined
  }

  /** Objects asked for one after the other mostly lie together, so the pack of the last one comes first. */
  *#inOrder(): Generator<PackRow> {
    const { rows, lastHit: first } = this.#packs
    if (first) yield first
    for (const row of rows) if (row !== first) yield row
  }

  #lost(oid: Oid): never {
    throw this.#problemOf(new CorruptObject('an object that others refer to is in no live pack'), oid)
  }

  #problemOf(error: unknown, oid: Oid): unknown {
    if (error instanceof ObjectTooLarge) return new Problem('file-too-large', { cause: error })
    if (isCacheFull(error)) return new Problem('temporarily-unavailable', { retryAfterS: 30, cause: error })
    const problem =
      error instanceof CorruptObject ? new Problem('internal', { cause: error }) : receivedFrom(error)
    if (problem instanceof Problem && problem.code === 'internal') {
      this.#deps.log.error(
        { err: error, repo: this.repoId, oid: oid.toString('hex') },
        'git object cannot be read',
      )
    }
    return problem
  }
}
