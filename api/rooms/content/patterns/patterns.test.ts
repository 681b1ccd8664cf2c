import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Attributes, lfsRule } from './attributes.ts'
import { Effort } from './effort.ts'
import { Ignore } from './ignore.ts'

const run = promisify(execFile)

/** Paths that these rules send through LFS. */
async function lfsOf(rules: Attributes, of: string[] = paths): Promise<string[]> {
  const effort = new Effort()
  const large: string[] = []
  for (const path of of) if (await rules.isLfs(path, effort)) large.push(path)
  return large
}

async function ignoredOf(rules: Ignore, of: string[] = paths): Promise<string[]> {
  const effort = new Effort()
  const ignored: string[] = []
  for (const path of of) if (await rules.ignores(path, effort)) ignored.push(path)
  return ignored
}

/** Patterns and paths of few letters, so that they often match. */
const pieces = [
  'a b é . - / / * * ** **/ /** *** ? ?? \\ \\* \\/ [ab] [!a] [^b/] [a-c] [c-] []a] [!]] [\\]-a] [a ]',
  '[[:alpha:]] [[:space:]b] [[:punct:][:digit:]] [[:nope:]] [[:alpha] [--a] [a-\\c]',
]
const piece = fc.constantFrom(' ', ...pieces.flatMap((line) => line.split(' ')))
const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((all) => all.join(''))
const name = fc
  .array(fc.constantFrom('a', 'b', 'c', 'é', '.b', '-', ' ', '*', '[', '1'), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(''))
  .filter((text) => !['.', '..'].includes(text))
const somePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const somePaths = fc.array(somePath, { minLength: 20, maxLength: 20 })
const FOLDERS = 400
const SEED = 20_261_123

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
    expect(await lfsOf(rules)).toEqual(await gitSays({ '.gitattributes': text }))
  })

  test('the last line wins, and a nested file overrides the root', async () => {
    const root = '*.bin filter=lfs\ndata/** filter=lfs\nm.bin -filter\nroot.bin !filter\n'
    const nested = '*.bin -filter\ndeep/*.bin filter=lfs\n'
    const rules = new Attributes([
      { dir: 'data', text: nested },
      { dir: '', text: root },
    ])
    const expected = await gitSays({ '.gitattributes': root, 'data/.gitattributes': nested })
    expect(await lfsOf(rules)).toEqual(expected)
    await rm(join(dir, 'data/.gitattributes'))
  })

  test.each(['x y', 'we*ird', 'no[match', 'data/deep.bin', 'deep.bin'])(
    'the rule written for %s covers that path alone',
    async (path) => {
      const text = lfsRule(path)
      expect(await gitSays({ '.gitattributes': text })).toEqual([path])
      expect(await lfsOf(new Attributes([{ dir: '', text }]))).toEqual([path])
    },
  )

  test('random rules say what git says', async () => {
    const line = fc
      .tuple(
        pattern,
        fc.boolean(),
        fc.constantFrom(
          'filter=lfs',
          'filter=lfs',
          '-filter',
          '!filter',
          'filter',
          'text',
          '-filter=lfs',
          'filter=lfs a%b',
          'filter= filter=lfs -text',
        ),
      )
      .map(([text, isQuoted, setting]) =>
        isQuoted ? `"${text.replace(/["\\]/g, '\\$&')}" ${setting}` : `${text} ${setting}`,
      )
    const rules = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`)
    const cases = fc.sample(fc.tuple(rules, somePaths), { seed: SEED, numRuns: FOLDERS })
    const asked = cases.flatMap(([, of], n) => of.map((path) => `r${n}/${path}`))
    for (const [n, [text]] of cases.entries()) {
      await mkdir(join(dir, `r${n}`))
      await writeFile(join(dir, `r${n}/.gitattributes`), text)
    }
    await rm(join(dir, '.gitattributes'), { force: true })
    const ours = await Promise.all(
      cases.map(async ([text, of], n) => {
        const found = await lfsOf(
          new Attributes([{ dir: `r${n}`, text }]),
          of.map((path) => `r${n}/${path}`),
        )
        return found.map((path) => `${text} ${path}`)
      }),
    )
    const answer = execFileSync('git', ['-C', dir, 'check-attr', '-z', '--stdin', 'filter'], {
      input: asked.map((path) => `${path}\0`).join(''),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const cells = answer.toString().split('\0')
    const gits = asked.filter((_, i) => cells[i * 3 + 2] === 'lfs')
    expect(gits.length).toBeGreaterThan(FOLDERS / 2)
    const rulesOf = (path: string) => cases[Number(/^r(\d+)/.exec(path)?.[1])]?.[0]
    expect(ours.flat()).toEqual(gits.map((path) => `${rulesOf(path)} ${path}`))
  })

  test('rules that take too long are refused, and named', async () => {
    const rule = `${'*a'.repeat(60)}?b filter=lfs\n`
    const rules = new Attributes([{ dir: 'x', text: rule.repeat(400) }])
    const files = Array.from({ length: 500 }, (_, i) => `x/${'a'.repeat(250)}${i}`)
    await expect(lfsOf(rules, files)).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'x/.gitattributes', code: 'too-many-rules' }],
    })
  })

  test('usual rules are found in the largest list of files', async () => {
    const usual =
      'bin bz2 ftz gz h5 joblib lfs.* model msgpack npy onnx ot parquet pb pickle pt pth rar safetensors zip'
    const text = [
      ...usual.split(' ').map((ending) => `*.${ending} filter=lfs\n`),
      'saved_model/**/* filter=lfs\n*tfevents* filter=lfs\n',
      ...Array.from({ length: 1000 }, (_, i) => lfsRule(`data/part ${i}`).replace('[[:space:]]', '-')),
    ].join('')
    const files = Array.from({ length: 25_000 }, (_, i) => `data/train/part-${i}.${i % 2 ? 'bin' : 'txt'}`)
    expect(await lfsOf(new Attributes([{ dir: '', text }]), files)).toHaveLength(12_500)
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
    expect(await ignoredOf(rules)).toEqual(await gitSays(text))
  })

  test('random rules leave out what git leaves out', async () => {
    const line = fc
      .tuple(fc.constantFrom('', '', '!'), pattern, fc.constantFrom('', '', '/', ' ', '\\ '))
      .map((parts) => parts.join(''))
    const rules = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`)
    const cases = fc.sample(fc.tuple(rules, somePaths), { seed: SEED, numRuns: FOLDERS })
    for (const [n, [text]] of cases.entries()) {
      await mkdir(join(dir, `r${n}`))
      await writeFile(join(dir, `r${n}/.gitignore`), text)
    }
    await rm(join(dir, '.gitignore'), { force: true })
    const ours = await Promise.all(
      cases.map(async ([text, of], n) =>
        (await ignoredOf(new Ignore(text), of)).map((path) => `${text} r${n}/${path}`),
      ),
    )
    const gits = execFileSync('git', ['-C', dir, 'check-ignore', '--no-index', '-z', '--stdin'], {
      input: cases.flatMap(([, of], n) => of.map((path) => `r${n}/${path}\0`)).join(''),
    })
      .toString()
      .split('\0')
      .slice(0, -1)
    expect(gits.length).toBeGreaterThan(FOLDERS)
    const rulesOf = (path: string) => cases[Number(/^r(\d+)/.exec(path)?.[1])]?.[0]
    expect(ours.flat()).toEqual(gits.map((path) => `${rulesOf(path)} ${path}`))
  })
})
