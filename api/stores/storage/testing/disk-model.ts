import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * A call that changes a disk, by absolute paths; files are named as they were opened, whatever they are called now.
 * `create` opens a file, and makes it where it is absent.
 */
export type DiskCall =
  | { call: 'create' | 'unlink' | 'mkdir' | 'rmdir' | 'sync-begins' | 'sync'; path: string }
  | { call: 'write'; path: string; at: number; bytes: Uint8Array }
  | { call: 'truncate'; path: string; length: number }
  | { call: 'link' | 'rename'; from: string; to: string }

type OneName = Extract<DiskCall, { path: string }>

/**
 * What a power cut leaves: `bare` is the least the file system owes (fsync(2)), contents and names as they were synced
 * last. `named` has all names, and contents as synced: file systems with a journal write names on their own account.
 */
export type Cut = 'bare' | 'named'

type Step = { at: number; bytes: Uint8Array } | { length: number } | { name: string; node: Node | undefined }

/** A file or a folder as the list of its changes, of which the first `durable` survive. */
class Node {
  readonly isFolder: boolean
  readonly steps: Step[] = []
  #syncing = 0
  #durable = 0

  constructor(isFolder: boolean) {
    this.isFolder = isFolder
  }

  /** What was changed while a sync was under way may have come too late for it. */
  beginSync(): void {
    this.#syncing = this.steps.length
  }

  endSync(): void {
    this.#durable = Math.max(this.#durable, this.#syncing)
  }

  get isDurable(): boolean {
    return this.#durable === this.steps.length
  }

  names(cut?: Cut): Map<string, Node> {
    const names = new Map<string, Node>()
    for (const step of this.#left(cut === 'bare'))
      if ('name' in step) {
        if (step.node) names.set(step.name, step.node)
        else names.delete(step.name)
      }
    return names
  }

  bytes(): Buffer {
    const steps = this.#left(true)
    const ends = steps.map((step) =>
      'bytes' in step ? step.at + step.bytes.length : 'length' in step ? step.length : 0,
    )
    const bytes = Buffer.alloc(Math.max(0, ...ends))
    let length = 0
    for (const [i, step] of steps.entries())
      if ('length' in step) {
        bytes.fill(0, step.length)
        length = step.length
      } else if ('bytes' in step) {
        bytes.set(step.bytes, step.at)
        length = Math.max(length, ends[i] ?? 0)
      }
    return bytes.subarray(0, length)
  }

  #left(isCut: boolean): Step[] {
    return isCut ? this.steps.slice(0, this.#durable) : this.steps
  }
}

/** One folder of a disk, and what a power cut would leave of it after each call. */
export class DiskModel {
  readonly #root: string
  readonly #top = new Node(true)
  /** By the name they were opened by, also once that is gone. */
  readonly #opened = new Map<string, Node>()

  private constructor(root: string) {
    this.#root = root
  }

  /** Begins with what lies in the folder, all of it durable; it was copied there from `root`, unless that is left out. */
  static async of(folder: string, root = folder): Promise<DiskModel> {
    const model = new DiskModel(root)
    await model.#load(folder, model.#top)
    return model
  }

  /** Calls elsewhere are passed over. */
  take(call: DiskCall): void {
    if ('from' in call) {
      if (!this.#isInside(call.to)) return
      const node = this.#find(call.from)
      this.#bind(call.to, node)
      if (call.call === 'rename') this.#bind(call.from, undefined)
    } else if (this.#isInside(call.path) || (call.path === this.#root && call.call !== 'mkdir'))
      this.#takeOne(call)
  }

  #isInside(path: string): boolean {
    return path.startsWith(`${this.#root}/`)
  }

  #takeOne(call: OneName): void {
    const { path } = call
    if (call.call === 'create') {
      if (!this.#find(path)) this.#bind(path, new Node(false))
    } else if (call.call === 'mkdir') this.#bind(path, new Node(true))
    else if (call.call === 'unlink' || call.call === 'rmdir') this.#bind(path, undefined)
    else this.#change(call)
  }

  /** Whether all that was written to the file so far has been synced, under whatever name. */
  isSynced(path: string): boolean {
    return (this.#opened.get(path) ?? this.#find(path))?.isDurable ?? false
  }

  /** Whether a power cut now leaves the file of this name as it is. */
  isDurable(path: string): boolean {
    for (let at = path; at !== this.#root; at = dirname(at)) {
      const node = this.#find(at)
      const isNamed = this.#find(dirname(at))?.names('bare').get(basename(at)) === node
      if (!node || !isNamed || (at === path && !node.isDurable)) return false
    }
    return true
  }

  /** Writes down what a power cut now leaves; `skip` says what is not wanted. */
  async cut(cut: Cut, folder: string, skip: (path: string) => boolean = () => false): Promise<void> {
    await leave(this.#top, cut, this.#root, { folder, skip })
  }

  async #load(path: string, folder: Node): Promise<void> {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const below = join(path, entry.name)
      const node = new Node(entry.isDirectory())
      if (entry.isDirectory()) await this.#load(below, node)
      else if (entry.isFile()) node.steps.push({ at: 0, bytes: await readFile(below) })
      else continue
      node.beginSync()
      node.endSync()
      folder.steps.push({ name: entry.name, node })
    }
    folder.beginSync()
    folder.endSync()
  }

  #change(call: OneName): void {
    const node = this.#opened.get(call.path) ?? this.#find(call.path)
    if (!node) return
    if (call.call === 'write') node.steps.push({ at: call.at, bytes: call.bytes })
    else if (call.call === 'truncate') node.steps.push({ length: call.length })
    else if (call.call === 'sync-begins') node.beginSync()
    else node.endSync()
  }

  #bind(path: string, node: Node | undefined): void {
    this.#find(dirname(path))?.steps.push({ name: basename(path), node })
    if (node && !node.isFolder && node.steps.length === 0) this.#opened.set(path, node)
  }

  #find(path: string): Node | undefined {
    if (path === this.#root) return this.#top
    return this.#find(dirname(path))?.names().get(basename(path))
  }
}

async function leave(
  node: Node,
  cut: Cut,
  path: string,
  to: { folder: string; skip: (path: string) => boolean },
): Promise<void> {
  await mkdir(to.folder, { recursive: true })
  for (const [name, child] of node.names(cut)) {
    const [below, target] = [join(path, name), join(to.folder, name)]
    if (to.skip(below)) continue
    if (child.isFolder) await leave(child, cut, below, { ...to, folder: target })
    else await writeFile(target, child.bytes())
  }
}
