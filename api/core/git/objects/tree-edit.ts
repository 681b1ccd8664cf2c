import { Turns } from '../../../platform/flow/index.ts'
import { EMPTY_TREE, type Oid } from './oid.ts'
import { compareNames, MODE, serializeEntry, Tree } from './tree.ts'
import { MAX_FOLDER_ENTRIES } from './tree-extent.ts'

/** Folders that one commit may touch: each is held in memory, with its entries, until all are written. */
export const MAX_TOUCHED_FOLDERS = 100_000

/** One change of a tree. Paths are checked by `validatePath` before. Without `mode` a file keeps the one it has. */
export type Edit =
  | { kind: 'put'; path: string; oid: Oid; mode?: number }
  | { kind: 'delete'; path: string }
  | { kind: 'delete-folder'; path: string }

/** Why an edit cannot be made. */
export interface EditFault {
  code:
    | 'no-such-file'
    | 'no-such-folder'
    | 'is-a-folder'
    | 'file-in-the-way'
    | 'folder-too-large'
    | 'too-many-folders'
  path: string
}

/** How the editor reads trees and stores the ones it makes. */
export interface TreeStore {
  load(oid: Oid): Promise<Tree>
  save(bytes: Buffer): Promise<Oid>
}

interface File {
  mode: number
  oid: Oid
}

interface Folder {
  base: Tree
  oid?: Oid
  /** Children that were looked at or changed; `undefined` is a deleted one. */
  children: Map<string, File | Folder | undefined>
  isChanged: boolean
}

/**
 * Makes a tree from `root` and the edits, rewriting only folders that change; folders left empty vanish. Deletes apply
 * before puts, so their order among each other does not matter. With faults nothing is saved.
 */
export async function editTree(
  root: Oid,
  edits: Iterable<Edit>,
  store: TreeStore,
): Promise<{ tree: Oid } | { faults: EditFault[] }> {
  const editor = new TreeEditor(store)
  const top = await editor.open(root)
  const faults: EditFault[] = []
  const all = [...edits]
  const turns = new Turns()
  for (const isPut of [false, true]) {
    for (const edit of all) {
      if (turns.isOver) await turns.next()
      if ((edit.kind === 'put') !== isPut) continue
      if (editor.folders > MAX_TOUCHED_FOLDERS)
        return { faults: [{ code: 'too-many-folders', path: edit.path }] }
      const fault = await editor.apply(top, edit)
      if (fault) faults.push(fault)
    }
  }
  faults.push(...tooLarge(top, ''))
  if (faults.length > 0) return { faults }
  return { tree: (await editor.save(top)) ?? (await store.save(Tree.empty.bytes)) }
}

class TreeEditor {
  /** Opened or made so far. */
  folders = 0
  readonly #store: TreeStore
  readonly #turns = new Turns()
  constructor(store: TreeStore) {
    this.#store = store
  }

  async open(oid: Oid): Promise<Folder> {
    this.folders++
    const base = oid.equals(EMPTY_TREE) ? Tree.empty : await this.#store.load(oid)
    return { base, oid, children: new Map(), isChanged: false }
  }

  async apply(top: Folder, edit: Edit): Promise<EditFault | undefined> {
    const { path } = edit
    const names = path.split('/')
    const leaf = names.pop() ?? ''
    const trail = [top]
    let folder = top
    for (const name of names) {
      let next = await this.#child(folder, name)
      if (next && !isFolder(next)) return { code: 'file-in-the-way', path }
      if (!next) {
        if (edit.kind !== 'put')
          return { code: edit.kind === 'delete' ? 'no-such-file' : 'no-such-folder', path }
        this.folders++
        next = { base: Tree.empty, children: new Map(), isChanged: true }
        folder.children.set(name, next)
      }
      folder = next
      trail.push(folder)
    }
    const present = await this.#child(folder, leaf)
    const fault = leafFault(edit, present)
    if (fault) return fault
    folder.children.set(leaf, edit.kind === 'put' ? fileOf(edit, present) : undefined)
    for (const step of trail) step.isChanged = true
    return undefined
  }

  /** Saves changed folders from the leaves up; `undefined` for a folder without entries. */
  async save(folder: Folder): Promise<Oid | undefined> {
    if (!folder.isChanged && folder.oid) return folder.oid
    if (this.#turns.isOver) await this.#turns.next()
    const rows: { name: Buffer; isFolder: boolean; bytes: Buffer; at: number }[] = []
    const removed = new Set<number>()
    for (const [name, child] of folder.children) {
      const old = folder.base.indexOf(name)
      if (old !== undefined) removed.add(old)
      const oid = child && (isFolder(child) ? await this.save(child) : child.oid)
      if (!child || !oid) continue
      const mode = isFolder(child) ? MODE.tree : child.mode
      const bytes = Buffer.from(name, 'utf8')
      const at = folder.base.position(bytes, isFolder(child))
      rows.push({ name: bytes, isFolder: isFolder(child), bytes: serializeEntry(mode, bytes, oid), at })
    }
    rows.sort((a, b) => compareNames(a.name, a.isFolder, b.name, b.isFolder))
    const bytes = splice(folder.base, rows, removed)
    return bytes.length === 0 ? undefined : this.#store.save(bytes)
  }

  async #child(folder: Folder, name: string): Promise<File | Folder | undefined> {
    if (folder.children.has(name)) return folder.children.get(name)
    const entry = folder.base.find(name)
    if (!entry) return undefined
    if (entry.mode !== MODE.tree) return entry
    const opened = await this.open(entry.oid)
    folder.children.set(name, opened)
    return opened
  }
}

/** The base's bytes without the removed entries and with each row before entry `at`; rows are in tree order. */
function splice(base: Tree, rows: { bytes: Buffer; at: number }[], removed: Set<number>): Buffer {
  const parts: Buffer[] = []
  let kept = 0
  const keepUpTo = (i: number) => {
    if (i > kept) parts.push(base.bytes.subarray(base.startOf(kept), base.startOf(i)))
    kept = Math.max(kept, i)
  }
  const gone = [...removed].sort((a, b) => a - b)
  for (const row of rows) {
    while ((gone[0] ?? Infinity) < row.at) skip(gone.shift() ?? 0)
    keepUpTo(row.at)
    parts.push(row.bytes)
  }
  for (const i of gone) skip(i)
  keepUpTo(base.length)
  return Buffer.concat(parts)

  function skip(i: number): void {
    keepUpTo(i)
    kept = i + 1
  }
}

function isFolder(node: File | Folder): node is Folder {
  return 'children' in node
}

function leafFault(edit: Edit, present: File | Folder | undefined): EditFault | undefined {
  const { path } = edit
  if (edit.kind === 'delete-folder') {
    if (!present) return { code: 'no-such-folder', path }
    return isFolder(present) ? undefined : { code: 'file-in-the-way', path }
  }
  if (edit.kind === 'delete' && !present) return { code: 'no-such-file', path }
  // A folder emptied by the deletes before is no longer in the way.
  if (!present || !isFolder(present) || (edit.kind === 'put' && isEmpty(present))) return undefined
  return { code: 'is-a-folder', path }
}

function isEmpty(folder: Folder): boolean {
  let left = folder.base.length
  for (const [name, child] of folder.children) {
    if (child && (!isFolder(child) || !isEmpty(child))) return false
    if (folder.base.indexOf(name) !== undefined) left--
  }
  return left === 0
}

function fileOf(edit: Edit & { kind: 'put' }, present: File | Folder | undefined): File {
  const isPlain = (mode: number) => mode === MODE.file || mode === MODE.executable
  const kept = present && !isFolder(present) && isPlain(present.mode) ? present.mode : MODE.file
  return { mode: edit.mode ?? kept, oid: edit.oid }
}

function* tooLarge(folder: Folder, path: string): Generator<EditFault> {
  if (!folder.isChanged) return
  if (folder.base.length + folder.children.size > MAX_FOLDER_ENTRIES) {
    let entries = folder.base.length
    for (const [name, child] of folder.children) {
      entries += (child ? 1 : 0) - (folder.base.indexOf(name) === undefined ? 0 : 1)
    }
    if (entries > MAX_FOLDER_ENTRIES) yield { code: 'folder-too-large', path }
  }
  for (const [name, child] of folder.children) {
    if (child && isFolder(child)) yield* tooLarge(child, path === '' ? name : `${path}/${name}`)
  }
}
