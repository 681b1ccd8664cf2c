import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCollision, validateBranchOrTag, validatePath, validateRefName } from './names.ts'
import { git, withTempDir } from './testing.ts'

describe('a file path', () => {
  test.each([
    'README.md',
    'to?/awful?filename%you:should,never.give',
    'a b/ü/日本語 *.bin',
    '.gitattributes',
    '.github/x',
    'git~2',
    `${'a/'.repeat(63)}b`,
    'x'.repeat(255),
  ])('%j is accepted', (path) => expect(validatePath(path)).toBeUndefined())

  test.each([
    ['', 'path-empty'],
    ['/a', 'path-empty-segment'],
    ['a//b', 'path-empty-segment'],
    ['a/', 'path-empty-segment'],
    ['a/../b', 'path-dots'],
    ['.', 'path-dots'],
    ['..\\ddd', 'path-backslash'],
    ['a\0b', 'path-control'],
    ['a\nb', 'path-control'],
    ['a\u0085b', 'path-control'],
    ['a\u202eb', 'path-bidi'],
    ['a\ud800b', 'path-not-utf8'],
    ['.git/config', 'path-dot-git'],
    ['a/.GiT', 'path-dot-git'],
    ['.git. . /x', 'path-dot-git'],
    ['GIT~1', 'path-dot-git'],
    ['.g\u200cit', 'path-dot-git'],
    ['.git::$INDEX_ALLOCATION/x', 'path-dot-git'],
    [`${'a/'.repeat(64)}b`, 'path-too-deep'],
    ['x'.repeat(256), 'path-segment-too-long'],
    [`${'x'.repeat(200)}/`.repeat(5) + 'x'.repeat(20), 'path-too-long'],
  ])('%j is refused as %s', (path, code) => expect(validatePath(path)?.code).toBe(code))

  test('is never refused for what git itself would store and fsck accept', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9?%:,*!@#$&()+=;' -]{1,30}$/), (path) => {
        fc.pre(!path.startsWith('git~1'))
        expect(validatePath(path)).toBeUndefined()
      }),
    )
  })
})

test('paths that some file systems would merge are found', () => {
  expect(findCollision(['a.txt', 'B.txt', 'b.TXT'])).toEqual(['B.txt', 'b.TXT'])
  expect(findCollision(['caf\u00e9', 'cafe\u0301'])).toEqual(['caf\u00e9', 'cafe\u0301'])
  expect(findCollision(['straße', 'STRASSE'])).toEqual(['straße', 'STRASSE'])
  expect(findCollision(['same', 'same', 'other'])).toBeUndefined()
})

describe('a ref name', () => {
  test.each(['main', 'feature/x', 'v1.0', 'über', 'a@b', 'pr-1', 'deadbeef'])('%j is accepted', (name) => {
    expect(validateBranchOrTag(name)).toBeUndefined()
  })

  test.each([
    '',
    'HEAD',
    '@',
    '-x',
    'refs/heads/x',
    'a'.repeat(251),
    'DEADBEEF'.repeat(5),
    '0123456789'.repeat(4),
  ])('%j is refused for branches and tags', (name) => expect(validateBranchOrTag(name)).toBeDefined())

  test('is accepted only when git check-ref-format accepts it', async () => {
    const nasty = fc.string({ unit: fc.constantFrom(...'ab./@{~^:?*[\\ \u007f\t-', '.lock'), maxLength: 9 })
    await withTempDir(async (dir) => {
      await fc.assert(
        fc.asyncProperty(nasty, async (name) => {
          const full = `refs/heads/${name}`
          const byGit = await git(dir, ['check-ref-format', full]).then(
            () => true,
            () => false,
          )
          expect(validateRefName(full) === undefined).toBe(byGit)
        }),
        { numRuns: 150 },
      )
    })
    // Each name starts a git, which takes 0.2 s on a machine that is busy.
  })
})
