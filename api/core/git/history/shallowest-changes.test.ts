import { expect, test } from 'vitest'
import type { DiffOptions, TreeChange } from '../objects/tree-diff.ts'
import { MODE } from '../objects/tree.ts'
import { shallowestChanges } from './shallowest-changes.ts'

const entry = { mode: MODE.file, name: '', oid: Buffer.alloc(20) }

/** `width` folders in each of `levels` levels, all new, each with as many files; notes the folders looked into. */
function fan(width: number, levels: number) {
  const entered: string[] = []
  async function* below(dir: string, level: number, options: DiffOptions): AsyncGenerator<TreeChange> {
    for (let i = 0; i < width; i++) {
      const isFolder = level < levels
      const change: TreeChange = { dir, name: `n${i}`, kind: 'A', isFolder, new: entry }
      yield change
      const path = dir === '' ? change.name : `${dir}/${change.name}`
      if (!isFolder || options.enters?.(change) === false) continue
      entered.push(path)
      yield* below(path, level + 1, options)
    }
  }
  return { entered, list: (options: DiffOptions = {}) => below('', 0, options) }
}

test('all changes of a commit are listed', async () => {
  const { list } = fan(3, 2)
  expect(await shallowestChanges(list)).toHaveLength(3 + 9 + 27)
})

test('of a commit with too many only those of the upper folders are, and the rest is not walked', async () => {
  const { list, entered } = fan(10, 4)
  const changes = await shallowestChanges(list, { max: 500 })
  expect(changes).toHaveLength(10 + 100)
  expect(changes.every(({ dir }) => dir.split('/').length < 2)).toBe(true)
  expect(changes.filter(({ dir }) => dir === '').map(({ name }) => name)).toContain('n9')
  // Of 11 110 folders.
  expect(entered.length).toBeLessThan(200)
})

test("the root's own changes stay, however many", async () => {
  expect(await shallowestChanges(fan(40, 0).list, { max: 10 })).toHaveLength(40)
})
