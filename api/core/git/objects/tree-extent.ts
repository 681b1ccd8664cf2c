import { LRUCache } from 'lru-cache'
import { Turns } from '../../../platform/flow/index.ts'
import { EMPTY_TREE, type Oid } from './oid.ts'
import { MODE, type Tree } from './tree.ts'
import type { LoadTree } from './tree-walk.ts'

/** Files and folders of one commit. Every list, index and archive of a commit has a line for each. */
export const MAX_TREE_PATHS = 1_000_000
/** Folders within folders, the root among them. Paths of API commits end at the same depth (`validatePath`). */
export const MAX_TREE_LEVELS = 64
/** Each commit rewrites about 25 bytes per entry of every folder it touches, so folders end here. */
export const MAX_FOLDER_ENTRIES = 100_000

/** What a tree unfolds to. */
export interface TreeExtent {
  /** Files and folders below it; one object counts wherever it appears. */
  paths: number
  levels: number
}

/** Why a tree is refused; the message completes "the commit …". */
export interface TreeFault {
  code: 'too-many-paths' | 'too-many-levels' | 'folder-too-large'
  message: string
}

const faults: Record<TreeFault['code'], string> = {
  'too-many-paths': `holds more than ${MAX_TREE_PATHS} files and folders`,
  'too-many-levels': `holds folders more than ${MAX_TREE_LEVELS} levels deep`,
  'folder-too-large': `holds a folder of more than ${MAX_FOLDER_ENTRIES} entries`,
}

/** Some 15 MB. */
const MAX_KEPT = 100_000

class TooLarge extends Error {
  readonly code: TreeFault['code']
  constructor(code: TreeFault['code']) {
    super(faults[code])
    this.code = code
  }
}

/**
 * Counts what trees unfold to without unfolding them: each distinct tree is read once, and its count is remembered by its
 * oid, which names the same content in every repo. Twelve small objects can stand for a billion paths.
 */
export class TreeExtents {
  readonly #known = new LRUCache<string, TreeExtent>({ max: MAX_KEPT })

  /** Why the tree `root` must not become part of a repo; `undefined` when it may. `load` must find every tree below it. */
  async faultOf(load: LoadTree, root: Oid, signal?: AbortSignal): Promise<TreeFault | undefined> {
    try {
      await this.#measure({ load, turns: new Turns({ signal }) }, root, 1)
      return undefined
    } catch (error) {
      if (error instanceof TooLarge) return { code: error.code, message: error.message }
      throw error
    }
  }

  async #measure(walk: { load: LoadTree; turns: Turns }, oid: Oid, level: number): Promise<TreeExtent> {
    const key = oid.toString('latin1')
    const known = this.#known.get(key)
    if (known) return within(known, level)
    if (level > MAX_TREE_LEVELS) throw new TooLarge('too-many-levels')
    if (walk.turns.isOver) await walk.turns.next()
    const tree = oid.equals(EMPTY_TREE) ? undefined : await walk.load(oid)
    if ((tree?.length ?? 0) > MAX_FOLDER_ENTRIES) throw new TooLarge('folder-too-large')
    const extent = { paths: tree?.length ?? 0, levels: 1 }
    for (const folder of tree ? foldersOf(tree) : []) {
      const below = await this.#measure(walk, folder, level + 1)
      extent.paths += below.paths
      if (extent.paths > MAX_TREE_PATHS) throw new TooLarge('too-many-paths')
      extent.levels = Math.max(extent.levels, below.levels + 1)
    }
    this.#known.set(key, extent)
    return within(extent, level)
  }
}

function within(extent: TreeExtent, level: number): TreeExtent {
  if (extent.levels + level - 1 > MAX_TREE_LEVELS) throw new TooLarge('too-many-levels')
  return extent
}

function* foldersOf(tree: Tree): Generator<Oid> {
  for (let i = 0; i < tree.length; i++) if (tree.mode(i) === MODE.tree) yield tree.oid(i)
}
