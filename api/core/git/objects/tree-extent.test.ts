import { expect, test } from 'vitest'
import { EMPTY_TREE, hashObject, type Oid } from './oid.ts'
import { MAX_FOLDER_ENTRIES, MAX_TREE_LEVELS, MAX_TREE_PATHS, TreeExtents } from './tree-extent.ts'
import { MODE, serializeTree, Tree, type TreeEntry } from './tree.ts'

const blob = hashObject('blob', Buffer.from('x'))

/** Trees in memory, and how often they are read. */
class Trees {
  reads = 0
  readonly #trees = new Map<string, Tree>()

  put(entries: Omit<TreeEntry, 'name'>[]): Oid {
    const named = entries.map((entry, i) => ({ ...entry, name: `n${i}` }))
    const bytes = serializeTree(named)
    const oid = hashObject('tree', bytes)
    this.#trees.set(oid.toString('hex'), Tree.parse(bytes))
    return oid
  }

  /** `width` times the same folder in each of `levels` levels, above a folder of `width` files. */
  fan(width: number, levels: number): Oid {
    let oid = this.put(Array.from({ length: width }, () => ({ mode: MODE.file, oid: blob })))
    for (let level = 0; level < levels; level++)
      oid = this.put(Array.from({ length: width }, () => ({ mode: MODE.tree, oid: oid })))
    return oid
  }

  /** Folders within folders, the lowest with one file. */
  chain(levels: number): Oid {
    return this.fan(1, levels - 1)
  }

  readonly load = async (oid: Oid): Promise<Tree> => {
    this.reads++
    const found = this.#trees.get(oid.toString('hex'))
    return found ?? expect.fail('an unknown tree')
  }
}

test('a few small objects that stand for a billion paths are refused, each read once', async () => {
  for (const [width, levels] of [
    [10, 9],
    [5, 10],
    [100_000, 2],
  ] as const) {
    const trees = new Trees()
    const fault = await new TreeExtents().faultOf(trees.load, trees.fan(width, levels))
    expect(fault?.code).toBe('too-many-paths')
    expect(trees.reads).toBeLessThanOrEqual(levels + 1)
  }
})

test('a tree may hold as many paths as the limit, folders among them', async () => {
  const trees = new Trees()
  const full = trees.put(Array.from({ length: 90_000 }, () => ({ mode: MODE.file, oid: blob })))
  const root = (files: number) =>
    trees.put([
      ...Array.from({ length: 11 }, () => ({ mode: MODE.tree, oid: full })),
      ...Array.from({ length: files }, () => ({ mode: MODE.file, oid: blob })),
    ])
  const most = MAX_TREE_PATHS - 11 * (1 + 90_000)
  const extents = new TreeExtents()
  expect(await extents.faultOf(trees.load, root(most))).toBeUndefined()
  expect(await extents.faultOf(trees.load, root(most + 1))).toMatchObject({ code: 'too-many-paths' })
})

test('levels are counted from the root, also of a folder that was counted before by itself', async () => {
  const trees = new Trees()
  const extents = new TreeExtents()
  const deepest = trees.chain(MAX_TREE_LEVELS)
  expect(await extents.faultOf(trees.load, deepest)).toBeUndefined()
  const deeper = trees.put([{ mode: MODE.tree, oid: deepest }])
  expect(await extents.faultOf(trees.load, deeper)).toMatchObject({ code: 'too-many-levels' })
  expect(await new TreeExtents().faultOf(trees.load, trees.chain(5000))).toMatchObject({
    code: 'too-many-levels',
  })
})

test('a folder ends at 100 000 entries, and an empty one is fine', async () => {
  const trees = new Trees()
  const wide = trees.put(
    Array.from({ length: MAX_FOLDER_ENTRIES + 1 }, () => ({ mode: MODE.file, oid: blob })),
  )
  expect(await new TreeExtents().faultOf(trees.load, wide)).toMatchObject({ code: 'folder-too-large' })
  expect(await new TreeExtents().faultOf(trees.load, EMPTY_TREE)).toBeUndefined()
})

test('after a change only folders that are new are read', async () => {
  const trees = new Trees()
  const extents = new TreeExtents()
  const folders = Array.from({ length: 50 }, (_, i) =>
    trees.put(Array.from({ length: i + 1 }, () => ({ mode: MODE.file, oid: blob }))),
  )
  await extents.faultOf(trees.load, trees.put(folders.map((oid) => ({ mode: MODE.tree, oid }))))
  trees.reads = 0
  const changed = trees.put([{ mode: MODE.executable, oid: blob }])
  const next = trees.put([changed, ...folders.slice(1)].map((oid) => ({ mode: MODE.tree, oid })))
  expect(await extents.faultOf(trees.load, next)).toBeUndefined()
  expect(trees.reads).toBe(2)
})

test('counting ends when its caller has left', async () => {
  const trees = new Trees()
  const gone = new AbortController()
  gone.abort(new Error('the client left'))
  const slow = async (oid: Oid) => {
    const until = performance.now() + 6
    while (performance.now() < until);
    return trees.load(oid)
  }
  await expect(new TreeExtents().faultOf(slow, trees.chain(10), gone.signal)).rejects.toThrow(
    'the client left',
  )
})
