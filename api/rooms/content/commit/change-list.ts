import { findCollision, MAX_TOUCHED_FOLDERS, type CommitBuilder } from '../../../core/git/index.ts'
import { reasons } from './edit-reasons.ts'
import { operationFault, operationsRefused } from './operations.ts'

/** A file a commit puts somewhere. */
export interface Put {
  oid: string
  /** Number of the operation, for faults. */
  n: number
}

/** Whether the commit that is built on has something at a path. */
export type IsThere = (path: string, kind: 'file' | 'folder') => Promise<boolean>

/**
 * Turns operations, which apply in their order, into edits of a tree, where deletes come before puts: what is added and
 * then deleted in one list is never put.
 */
export class ChangeList {
  readonly #builder: CommitBuilder
  readonly #isThere: IsThere
  readonly #puts = new Map<string, Put>()
  /** Folder → how many paths are put anywhere below it. */
  readonly #below = new Map<string, number>()
  /** Path → number of the operation. */
  readonly #deleted = new Map<string, number>()
  #hasDropped = false

  constructor(builder: CommitBuilder, isThere: IsThere) {
    this.#builder = builder
    this.#isThere = isThere
  }

  /** Paths and contents as they will be; of paths this commit does not touch it knows nothing. */
  get puts(): ReadonlyMap<string, Put> {
    return this.#puts
  }

  /** Whether an operation has deleted what the path held and none has put it again. */
  isGone(path: string): boolean {
    if (this.#puts.has(path)) return false
    const names = path.split('/')
    return names.some((_, i) => this.#deleted.has(names.slice(0, i + 1).join('/')))
  }

  /** Whether this list puts something below the path. */
  isFolder(path: string): boolean {
    return this.#below.has(path)
  }

  /** Notes a put whose edit the builder has been given. */
  put(path: string, put: Put): void {
    const isAgain = this.#puts.has(path)
    this.#puts.set(path, put)
    if (isAgain) return
    for (const folder of foldersOf(path)) this.#below.set(folder, (this.#below.get(folder) ?? 0) + 1)
    if (this.#below.size > MAX_TOUCHED_FOLDERS)
      throw operationsRefused([
        operationFault(put.n, 'path', 'too-many-folders', reasons['too-many-folders']),
      ])
  }

  /** Number of the operation that last touched a path, for faults. */
  numberOf(path: string): number | undefined {
    return this.#puts.get(path)?.n ?? this.#deleted.get(path)
  }

  async delete(path: string, n: number): Promise<void> {
    const wasPut = this.#drop(path)
    if (wasPut && (this.isGone(path) || !(await this.#isThere(path, 'file')))) return
    this.#deleted.set(path, n)
    this.#builder.delete(path)
  }

  async deleteFolder(path: string, n: number): Promise<void> {
    const inside = `${path}/`
    const within = this.isFolder(path) ? [...this.#puts.keys()].filter((put) => put.startsWith(inside)) : []
    for (const put of within) this.#drop(put)
    if (within.length > 0 && (this.isGone(path) || !(await this.#isThere(path, 'folder')))) return
    this.#deleted.set(path, n)
    this.#builder.deleteFolder(path)
  }

  #drop(path: string): boolean {
    if (!this.#puts.delete(path)) return false
    for (const folder of foldersOf(path)) {
      const left = (this.#below.get(folder) ?? 1) - 1
      if (left > 0) this.#below.set(folder, left)
      else this.#below.delete(folder)
    }
    this.#hasDropped = true
    return true
  }

  /** Ends the list. Problem `validation-failed` when two paths are one on a file system that folds case or accents. */
  finish(): void {
    const { edits } = this.#builder
    if (this.#hasDropped) {
      const kept = edits.filter(
        (edit) => edit.kind !== 'put' || this.#puts.get(edit.path)?.oid === edit.oid.toString('hex'),
      )
      edits.length = 0
      for (const edit of kept) edits.push(edit)
    }
    const collision = findCollision(this.#puts.keys())
    if (!collision) return
    const [first, second] = collision
    const n = this.#puts.get(second)?.n ?? 0
    throw operationsRefused([
      operationFault(n, 'path', 'path-collision', `"${second}" and "${first}" are one name on some systems`),
    ])
  }
}

function* foldersOf(path: string): Generator<string> {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) yield path.slice(0, at)
}
