import { CorruptObject } from '../errors.ts'
import type { HeldObjects } from '../packs/held-pack.ts'
import { parseCommit } from '../objects/objects.ts'
import { EMPTY_TREE, oidFromHex, type ObjectType, type Oid } from '../objects/oid.ts'
import type { Snapshot } from '../snapshot.ts'
import { judgedFile } from './disguises.ts'
import { contentFault } from './judged-files.ts'
import { isSound } from './sound-objects.ts'
import { diffTrees, type TreeChange } from '../objects/tree-diff.ts'
import { MODE, Tree } from '../objects/tree.ts'

/** An object with the path it was come to by; that of a commit or of its root is empty. */
export interface Listed {
  oid: string
  type: ObjectType
  sizeBytes: number
  path: string
}

/** Differences looked at before git is asked, which is faster with many. */
const MAX_CHANGES = 5000

/** Something that is git's to judge. */
class Unclear extends Error {}

/**
 * Lists what the tips lead to and the refs of the repo do not, if that is clear without git: each new commit stands on
 * another or on what a ref leads to, everything any of them refers to is there and of the right kind, and git's strict
 * check has nothing against it. The parents of `shallow` commits are left out. It may list what a ref leads to under
 * another path. `undefined` when git must be asked; then nothing is said against the push.
 */
export async function listBrought(
  snapshot: Snapshot,
  held: HeldObjects,
  tips: string[],
  shallow: ReadonlySet<string> = snapshot.shallow,
): Promise<Listed[] | undefined> {
  const walk = new BroughtWalk(snapshot, held, shallow)
  try {
    for (const tip of tips) await walk.tip(tip)
    return walk.listed
  } catch (error) {
    if (error instanceof Unclear || error instanceof CorruptObject) return undefined
    throw error
  }
}

class BroughtWalk {
  readonly listed: Listed[] = []
  readonly #snapshot: Snapshot
  readonly #held: HeldObjects
  readonly #shallow: ReadonlySet<string>
  readonly #tips: Set<string>
  readonly #heads: Set<string>
  readonly #seen = new Set<string>()
  readonly #trees = new Map<string, Tree>()
  #changes = 0

  constructor(snapshot: Snapshot, held: HeldObjects, shallow: ReadonlySet<string>) {
    this.#snapshot = snapshot
    this.#held = held
    this.#shallow = shallow
    const refs = snapshot.listRefs()
    this.#tips = new Set(refs.map(({ oid }) => oid))
    this.#heads = new Set(refs.map(({ commit }) => commit))
  }

  /** Throws `Unclear`, also for a history that no ref leads to directly. */
  async tip(tip: string): Promise<void> {
    const waiting = this.#tips.has(tip) ? [] : [tip]
    for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
      if (this.#heads.has(oid) || this.#seen.has(oid)) continue
      const object = this.#held.get(oid)
      if (object?.type !== 'commit' || !isSound(object)) throw new Unclear()
      this.#list(oid, 'commit', object.content.length, '')
      const commit = parseCommit(object.content)
      const { tree } = commit
      const parents = this.#shallow.has(oid) ? [] : commit.parents
      const [first] = parents
      await this.#tree(tree, first && (await this.#treeOf(first.toString('hex'))))
      waiting.push(...parents.map((parent) => parent.toString('hex')))
    }
  }

  async #treeOf(commit: string): Promise<Oid> {
    const held = this.#held.get(commit)
    if (held?.type === 'commit' && isSound(held)) return parseCommit(held.content).tree
    const found = this.#heads.has(commit)
      ? await this.#snapshot.reader.findCommit(oidFromHex(commit))
      : undefined
    if (!found) throw new Unclear()
    return found.tree
  }

  /** What a commit's tree adds to that of its first parent, which is proven itself. */
  async #tree(root: Oid, before: Oid = EMPTY_TREE): Promise<void> {
    if (!root.equals(before)) await this.#folder(root, '')
    for await (const change of diffTrees(this.#load, before, root)) {
      if (++this.#changes > MAX_CHANGES) throw new Unclear()
      await this.#change(change)
    }
  }

  async #change({ dir, name, new: come }: TreeChange): Promise<void> {
    if (!come) return
    if (!this.#isInOrder(name, come)) throw new Unclear()
    const path = dir === '' ? name : `${dir}/${name}`
    if (come.mode === MODE.tree) return this.#folder(come.oid, path)
    // A submodule's commit lies elsewhere.
    if (come.mode === MODE.gitlink) return
    const oid = come.oid.toString('hex')
    const held = this.#held.get(oid)
    const sizeBytes = held
      ? held.content.length
      : (await this.#snapshot.reader.findFacts(come.oid))?.sizeBytes
    if (sizeBytes === undefined || (held && held.type !== 'blob')) throw new Unclear()
    this.#list(oid, 'blob', sizeBytes, path)
  }

  /** Whether git has nothing against a file for its name: `.gitattributes`, which most repos have, is judged here. */
  #isInOrder(name: string, { mode, oid }: { mode: number; oid: Oid }): boolean {
    const file = judgedFile(name)
    if (file === undefined) return true
    if (file !== '.gitattributes' || mode !== MODE.file) return false
    const held = this.#held.get(oid.toString('hex'))
    return held?.type === 'blob' && contentFault(file, held.content) === undefined
  }

  async #folder(oid: Oid, path: string): Promise<void> {
    this.#list(oid.toString('hex'), 'tree', (await this.#load(oid)).bytes.length, path)
  }

  readonly #load = async (oid: Oid): Promise<Tree> => {
    const hex = oid.toString('hex')
    const known = this.#trees.get(hex)
    if (known) return known
    const held = this.#held.get(hex)
    if (held && (held.type !== 'tree' || !isSound(held))) throw new Unclear()
    const found = held ? Tree.parse(held.content) : await this.#snapshot.reader.findTree(oid)
    if (!found) throw new Unclear()
    this.#trees.set(hex, found)
    return found
  }

  #list(oid: string, type: ObjectType, sizeBytes: number, path: string): void {
    if (this.#seen.has(oid)) return
    this.#seen.add(oid)
    this.listed.push({ oid, type, sizeBytes, path })
  }
}
