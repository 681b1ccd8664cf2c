import { expect, test } from 'vitest'
import { isLitter, targetPath } from './paths.ts'

const dropped = (fields: object) => ({ name: 'x.bin', webkitRelativePath: '', ...fields }) as File

test('a dropped folder keeps its structure below the target folder', () => {
  expect(targetPath(dropped({ path: './data/a/x.bin' }), '')).toBe('data/a/x.bin')
  expect(targetPath(dropped({ path: '/data/x.bin' }), 'v2')).toBe('v2/data/x.bin')
  expect(targetPath(dropped({ webkitRelativePath: 'data/x.bin' }), '')).toBe('data/x.bin')
  expect(targetPath(dropped({}), 'v2')).toBe('v2/x.bin')
})

test('what operating systems and git leave behind is no content', () => {
  expect(['a/.git/HEAD', '.DS_Store', 'a/.gitattributes'].map(isLitter)).toEqual([true, true, false])
})
