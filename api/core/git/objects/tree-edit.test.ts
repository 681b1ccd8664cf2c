import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_TREE, hashObject, type Oid } from './oid.ts'
import { diffTrees } from './tree-diff.ts'
import { editTree, type Edit, type TreeStore } from './tree-edit.ts'
import { entryAt, walkTree } from './tree-walk.ts'
import { MODE, Tree } from './tree.ts'

class TreesInMemory implements TreeStore {
  readonly trees = new Map<string, Tree>([[EMPTY_TREE.toString('hex'), Tree.empty]])
  saves = 0
  load = async (oid: Oid) => this.trees.get(oid.toString('hex')) ?? expect.fail('tree not saved')
  save = async (bytes: Buffer) => {
    this.saves++
    const oid = hashObject('tree', bytes)
    this.trees.set(oid.toString('hex'), Tree.parse(bytes))
    return oid
  }
}

const blob = (text: string) => hashObject('blob', Buffer.from(text))
const put = (path: string, text = path, mode?: number): Edit => ({
  kind: 'put',
  path,
  oid: blob(text),
  ...(mode === undefined ? {} : { mode }),
})

async function edit(store: TreesInMemory, root: Oid, edits: Edit[]): Promise<Oid> {
  const result = await editTree(root, edits, store)
  return 'tree' in result ? result.tree : expect.fail(JSON.stringify(result.faults))
}

async function paths(store: TreesInMemory, root: Oid, after?: string): Promise<string[]> {
  const out: string[] = []
  for await (const { path } of walkTree(store.load, root, after === undefined ? {} : { after }))
    out.push(path)
  return out
}

test('only touched folders are rewritten', async () => {
  const store = new TreesInMemory()
  const first = await edit(store, EMPTY_TREE, [put('a/b/c'), put('a/d'), put('e/f'), put('g')])
  store.saves = 0
  const second = await edit(store, first, [put('a/b/c', 'new')])
  expect(store.saves).toBe(3)
  expect((await entryAt(store.load, second, 'a/b/c'))?.oid).toEqual(blob('new'))
  expect((await entryAt(store.load, second, 'e'))?.oid).toEqual((await entryAt(store.load, first, 'e'))?.oid)
  expect(await entryAt(store.load, second, 'g/x')).toBeUndefined()
})

test('a folder left empty vanishes, also the last one', async () => {
  const store = new TreesInMemory()
  const first = await edit(store, EMPTY_TREE, [put('a/b/c'), put('d')])
  const second = await edit(store, first, [{ kind: 'delete', path: 'a/b/c' }])
  expect(await paths(store, second)).toEqual(['d'])
  expect(await edit(store, second, [{ kind: 'delete', path: 'd' }])).toEqual(EMPTY_TREE)
})

test('an overwritten file keeps its mode unless the edit sets one', async () => {
  const store = new TreesInMemory()
  const first = await edit(store, EMPTY_TREE, [
    put('run', '1', MODE.executable),
    put('link', '1', MODE.symlink),
  ])
  const second = await edit(store, first, [put('run', '2'), put('link', '2')])
  expect((await entryAt(store.load, second, 'run'))?.mode).toBe(MODE.executable)
  expect((await entryAt(store.load, second, 'link'))?.mode).toBe(MODE.file)
})

test('deletes come first, so a file may take the place of a folder and the other way round', async () => {
  const store = new TreesInMemory()
  const first = await edit(store, EMPTY_TREE, [put('x/y'), put('z')])
  const second = await edit(store, first, [
    put('x'),
    put('z/w'),
    { kind: 'delete', path: 'z' },
    { kind: 'delete-folder', path: 'x' },
  ])
  expect(await paths(store, second)).toEqual(['x', 'z', 'z/w'])
  expect(await paths(store, await edit(store, first, [{ kind: 'delete', path: 'x/y' }, put('x')]))).toEqual([
    'x',
    'z',
  ])
})

test.each([
  [{ kind: 'delete', path: 'nope' }, 'no-such-file'],
  [{ kind: 'delete', path: 'no/pe' }, 'no-such-file'],
  [{ kind: 'delete-folder', path: 'nope' }, 'no-such-folder'],
  [{ kind: 'delete-folder', path: 'file' }, 'file-in-the-way'],
  [{ kind: 'delete', path: 'folder' }, 'is-a-folder'],
  [put('folder'), 'is-a-folder'],
  [put('file/x'), 'file-in-the-way'],
] as [Edit, string][])('%j is refused as %s and nothing is saved', async (bad, code) => {
  const store = new TreesInMemory()
  const root = await edit(store, EMPTY_TREE, [put('file'), put('folder/x')])
  store.saves = 0
  expect(await editTree(root, [put('new'), bad], store)).toEqual({ faults: [{ code, path: bad.path }] })
  expect(store.saves).toBe(0)
})

const path = fc
  .array(fc.constantFrom('a', 'b', 'a.', 'a-', 'a0'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
const files = fc.dictionary(path, fc.constantFrom('1', '2'), { maxKeys: 25 }).map((all) => {
  const isFolder = (name: string) => Object.keys(all).some((other) => other.startsWith(`${name}/`))
  return Object.entries(all).filter(([name]) => !isFolder(name))
})

test('edits lead to the same tree as writing the result afresh, and the difference lists just what changed', async () => {
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const store = new TreesInMemory()
      const old = await edit(
        store,
        EMPTY_TREE,
        before.map(([name, text]) => put(name, text)),
      )
      const wanted = await edit(
        store,
        EMPTY_TREE,
        after.map(([name, text]) => put(name, text)),
      )
      const was = new Map(before)
      const will = new Map(after)
      const edits: Edit[] = [
        ...after.filter(([name, text]) => was.get(name) !== text).map(([name, text]) => put(name, text)),
        ...before.filter(([name]) => !will.has(name)).map(([name]): Edit => ({ kind: 'delete', path: name })),
      ]
      expect(await edit(store, old, edits)).toEqual(wanted)
      const changes: string[] = []
      for await (const { dir, name, kind, isFolder } of diffTrees(store.load, old, wanted)) {
        if (!isFolder) changes.push(`${kind} ${dir === '' ? name : `${dir}/${name}`}`)
      }
      const expected = edits.map((change) =>
        change.kind === 'put' ? `${was.has(change.path) ? 'M' : 'A'} ${change.path}` : `D ${change.path}`,
      )
      expect(changes.sort()).toEqual(expected.sort())
    }),
  )
})

test('a walk resumed behind any entry goes on with the next one', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (all) => {
      const store = new TreesInMemory()
      const root = await edit(
        store,
        EMPTY_TREE,
        all.map(([name, text]) => put(name, text)),
      )
      const walked = await paths(store, root)
      for (const [i, at] of walked.entries())
        expect(await paths(store, root, at)).toEqual(walked.slice(i + 1))
    }),
  )
})
