import { expect, test } from 'vitest'
import { Problem } from '../../../platform/problems/index.ts'
import { lfsMissing } from '../commit/file-problems.ts'
import { missingRefusal } from './content.ts'

const [first, second] = ['1'.repeat(64), '2'.repeat(64)]
const missing = lfsMissing(
  [
    { path: 'a.bin', sha256: first },
    { path: 'b/c.bin', sha256: second },
  ],
  new Map([[second, 'its bytes differ']]),
)

test('large files that were not sent are named, with what went wrong where that is known', () => {
  expect(missing.message).toBe(
    `Upload these large files first: "a.bin" (${first}), "b/c.bin" (${second}) - its bytes differ.`,
  )
})

test('a push without its large files is refused with their names', () => {
  const { reason, lines = [] } = missingRefusal(missing, 'refs/heads/work')
  expect(reason).toBe('LFS objects missing')
  for (const name of ['a.bin', 'b/c.bin', 'work']) expect(lines.join('\n')).toContain(name)
})

test.each([new Problem('forbidden'), new Error('the disk is gone')])('%s is no such refusal', (error) => {
  expect(() => missingRefusal(error, undefined)).toThrow(error)
})
