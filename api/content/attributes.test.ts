import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Attributes, lfsRule } from './attributes.ts'
import { Ignore } from './ignore.ts'

const run = promisify(execFile)

const patterns = [
  '*.bin',
  '/root.bin',
  'data/*.bin',
  'data/**',
  '**/deep.bin',
  'a/**/z.bin',
  'b?d.bin',
  '[ab]*.txt',
  '[!a]b.txt',
  'x[[:space:]]y',
  '"q uoted.bin"',
  'sub/',
  '*.tar.*',
  'we\\*ird',
  '**',
  'a/*/c',
  '[a-c]1',
  'nested',
  'no[match',
]
const paths = [
  'm.bin',
  'root.bin',
  'sub/root.bin',
  'data/x.bin',
  'data/deep/x.bin',
  'data/deep.bin',
  'deep.bin',
  'p/q/deep.bin',
  'a/z.bin',
  'a/b/z.bin',
  'a/b/c/z.bin',
  'bad.bin',
  'b/d.bin',
  'atext.txt',
  'ctext.txt',
  'ab.txt',
  'bb.txt',
  'x y',
  'q uoted.bin',
  'sub/f',
  'k.tar.gz',
  'we*ird',
  'weXird',
  'a/x/c',
  'a/x/y/c',
  'b1',
  'd1',
  'nested/f',
  'f/nested',
  'no[match',
]

describe('gitattributes', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arsenal-attr-'))
    await run('git', ['init', '-q', dir])
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  async function gitSays(files: Record<string, string>): Promise<string[]> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, name)), { recursive: true })
      await writeFile(join(dir, name), text)
    }
    const { stdout } = await run('git', ['-C', dir, 'check-attr', '-z', 'filter', '--', ...paths])
    const cells = stdout.split('\0')
    return paths.filter((_, i) => cells[i * 3 + 2] === 'lfs')
  }

  test.each(patterns)('pattern %s covers what git says it covers', async (pattern) => {
    const text = `${pattern} filter=lfs diff=lfs merge=lfs -text\n`
    const rules = new Attributes([{ dir: '', text }])
    expect(paths.filter((path) => rules.isLfs(path))).toEqual(await gitSays({ '.gitattributes': text }))
  })

  test('the last line wins, and a nested file overrides the root', async () => {
    const root = '*.bin filter=lfs\ndata/** filter=lfs\nm.bin -filter\nroot.bin !filter\n'
    const nested = '*.bin -filter\ndeep/*.bin filter=lfs\n'
    const rules = new Attributes([
      { dir: 'data', text: nested },
      { dir: '', text: root },
    ])
    const expected = await gitSays({ '.gitattributes': root, 'data/.gitattributes': nested })
    expect(paths.filter((path) => rules.isLfs(path))).toEqual(expected)
    await rm(join(dir, 'data/.gitattributes'))
  })

  test.each(['x y', 'we*ird', 'no[match', 'data/deep.bin', 'deep.bin'])(
    'the rule written for %s covers that path alone',
    async (path) => {
      const text = lfsRule(path)
      expect(await gitSays({ '.gitattributes': text })).toEqual([path])
      expect(paths.filter((other) => new Attributes([{ dir: '', text }]).isLfs(other))).toEqual([path])
    },
  )

  test('a hostile pattern takes no longer than a plain one', () => {
    const rules = new Attributes([{ dir: '', text: `${'*a'.repeat(500)}b filter=lfs\n` }])
    expect(rules.isLfs('a'.repeat(255))).toBe(false)
  })
})

describe('gitignore', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arsenal-ignore-'))
    await run('git', ['init', '-q', dir])
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  async function gitSays(text: string): Promise<string[]> {
    await writeFile(join(dir, '.gitignore'), text)
    const check = run('git', ['-C', dir, 'check-ignore', '--no-index', '--', ...paths])
    // Exit 1 means that none is ignored.
    const { stdout } = await check.catch((error: { stdout: string }) => error)
    const ignored = new Set(stdout.split('\n'))
    return paths.filter((path) => ignored.has(path))
  }

  test.each([
    ...patterns.filter((p) => !p.startsWith('"')),
    '*.bin\n!deep.bin',
    'data/\n!data/x.bin',
    '/*\n!/a/',
    '*.txt \n',
    '*.txt\\ \n*.bin\\  ',
    `*.txt${' '.repeat(60_000)}x`,
  ])('rules %j leave out what git leaves out', async (text) => {
    const rules = new Ignore(text)
    expect(paths.filter((path) => rules.ignores(path))).toEqual(await gitSays(text))
  })
})
