import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgedFile } from './disguises.ts'
import { contentFault, LineMeter } from './judged-files.ts'
import { git, gitText, withTempDir } from '../testing.ts'

const run = promisify(execFile)

/** Oids of objects real git's fsck says something about, in a repository with these files. */
async function objections(dir: string, files: { path: string; content: Buffer }[]) {
  await git(dir, ['init', '-q', '--bare', '.'])
  const head = 'commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\ndata 1\nm\n'
  const parts = files.flatMap(({ path, content }) => [
    Buffer.from(`M 100644 inline "${path.replace(/["\\]/g, '\\$&')}"\ndata ${content.length}\n`),
    content,
    Buffer.from('\n'),
  ])
  await git(dir, ['fast-import', '--quiet'], Buffer.concat([Buffer.from(head), ...parts]))
  const said = await run('git', ['fsck', '--strict', '--full', '--no-progress'], { cwd: dir }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  )
  return new Set(
    `${said.stdout}${said.stderr}`.match(/(?<=^(?:error|warning) in (?:blob|tree) )[0-9a-f]{40}/gm),
  )
}

async function oidsOf(dir: string, paths: string[]): Promise<string[]> {
  const text = await gitText(
    dir,
    ['cat-file', '--batch-check=%(objectname)'],
    paths.map((p) => `main:${p}\n`).join(''),
  )
  return text.split('\n')
}

const names = [
  '.gitmodules',
  '.GitModules',
  '.gitmodules. .',
  '.gitmodules:$DATA',
  '.gitm\u200codules',
  'GITMOD~1',
  'gitmod~4 .',
  'gi7eba~1',
  'GI7EB~12',
  'g~123456',
  '~1234567',
  'gitmod~5',
  'gi7eba~0',
  'gi7ebb~1',
  'gitmodules',
  '.gitmodules2',
  '.gitmodules x',
  '.gitattributes',
  '.GITATTRIBUTES',
  '.gitattributes:x',
  'gitatt~1',
  'gi7d29~9',
  'gi7d29~10',
  'gitatt~01',
  '.gitattribute\u017f',
  '.gitattributes\u200d',
  'gitignore',
  'gitign~1',
  '.mailmap',
]

test('a name is judged exactly when git judges it, also as a folder', async () => {
  await withTempDir(async (dir) => {
    // The content offends under both names.
    const offending = (i: number) => Buffer.from(`[submodule "../${i}"]\nurl = x\n${'x'.repeat(2048)}\n`)
    const files = names.flatMap((name, i) => [
      { path: `file${i}/${name}`, content: offending(i) },
      { path: `folder${i}/${name}/x${i}`, content: Buffer.from(`${i}`) },
    ])
    const found = await objections(dir, files)
    const blobs = await oidsOf(
      dir,
      names.map((name, i) => `file${i}/${name}`),
    )
    const trees = await oidsOf(
      dir,
      names.map((name, i) => `folder${i}/${name}`),
    )
    const judged = names.filter((name) => judgedFile(name) !== undefined)
    expect(judged).toEqual(names.filter((_, i) => found.has(blobs[i] ?? '')))
    expect(judged).toEqual(names.filter((_, i) => found.has(trees[i] ?? '')))
    expect(judged).toContain('.gitmodules')
  })
})

const url = (value: string) => `[submodule "a"]\n\turl = ${value}\n`
const gitmodules = [
  '',
  '[submodule "a/b"]\n\tpath = a\n\turl = https://example.org/a.git\n\tbranch = main\n',
  '# note\n[submodule "a"] ; more\npath = "a b"\n\turl = ../a.git\n',
  '[submodule "a"]\nurl\n',
  '[submodule "a"]\r\n\turl = ./x\r\n',
  '[core]\n\teditor = !rm\n[submodule]\n\tpath = -x\n',
  '[submodule "a"]\n\tupdate = rebase\n',
  '[submodule ".."]\n\tpath = a\n',
  '[submodule "..."]\n\tpath = a\n',
  '[submodule "a/../b"]\n\tpath = a\n',
  '[submodule "a\\\\..\\\\b"]\n\tpath = a\n',
  '[submodule ""]\n\tpath = a\n',
  '[submodule.a..b]\n\tpath = -a\n',
  '[SubModule "A"]\n\tPath = -a\n',
  '[submodule "a"]\n\tpath = "-a"\n',
  '[submodule "a"]\n\tpath = \\\n-a\n',
  '[submodule "a"]\n\tpath = "" -a\n',
  '[submodule "a"]\n\tpath = ; -a\n',
  '[submodule "a"]\n\tpath = " -a"\n',
  '[submodule "a"]\n\tupdate = !touch x\n',
  '[submodule "a"]\n\tupdate = \\!touch x\n',
  '[submodule "a"] update = !x',
  '[submodule "a"]\n\tpath\t= -a',
  '[submodule "a"]\n\tpath = "open\n',
  '[submodule "a"\n\tpath = a\n',
  '[submodule a]\n\tpath = a\n',
  'no section\n',
  'key\n',
  '[submodule "a"]\n\t1key = x\n',
  '\ufeff[submodule "a"]\n\tpath = a\n',
  'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
  url('-u./payload'),
  url('"-x"'),
  url('./%0ahost=example.org/x'),
  url('../../:x'),
  url('..//x'),
  url('./../../a'),
  url('./:a'),
  url('git://example.org/%0Ax'),
  url('https://example.org/%0ax'),
  url('https:///x'),
  url('https://user:secret@/x'),
  url('https://user@example.org'),
  url('https::example.org/x'),
  url('http::https://example.org/x'),
  url('ftps::///x'),
  url('https://?x@example.org'),
  url('ssh://-oProxyCommand=x/a'),
  url('git@example.org:a/b.git'),
  url('/srv/a.git'),
]

/** Content → whether git objects. */
async function gitObjects(name: string, contents: Buffer[]): Promise<boolean[]> {
  return withTempDir(async (dir) => {
    const paths = contents.map((_, i) => `${i}/${name}`)
    const found = await objections(
      dir,
      contents.map((content, i) => ({ path: paths[i] ?? '', content })),
    )
    return (await oidsOf(dir, paths)).map((oid) => found.has(oid))
  })
}

test('git and we object to the same .gitmodules', async () => {
  const contents = gitmodules.map((text) => Buffer.from(text))
  const theirs = await gitObjects('.gitmodules', contents)
  const ours = contents.map((content) => contentFault('.gitmodules', content) !== undefined)
  const differing = gitmodules.filter((_, i) => theirs[i] !== ours[i])
  expect(differing).toEqual([])
  expect(ours.filter(Boolean).length).toBeGreaterThan(20)
})

test('whatever .gitmodules we take, git takes', async () => {
  const word = fc.constantFrom(
    '[submodule "',
    'submodule',
    '..',
    '/',
    '\\',
    '"]',
    ']',
    '[',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '\t',
    '=',
    '"',
    '-',
    '!',
    '#',
    ';',
    'url',
    'path',
    'update',
    'https://',
    'https::',
    './',
    '../',
    ':',
    '@',
    '%0a',
    'x',
    '.',
    '\\n',
    '\\\n',
  )
  const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(''))
  const setting = fc
    .tuple(fc.constantFrom('url', 'path', 'update', 'URL'), line)
    .map(([key, value]) => `\t${key} = ${value}\n`)
  const section = fc.oneof(
    line.map((name) => `[submodule "${name}"]\n`),
    fc.constant('[submodule "a"]\n'),
    line,
  )
  const file = fc
    .tuple(section, fc.array(fc.oneof(setting, line), { maxLength: 3 }))
    .map(([head, rest]) => head + rest.join(''))
  const contents = fc.sample(file, { numRuns: 3000, seed: 7 }).map((text) => Buffer.from(text))
  const theirs = await gitObjects('.gitmodules', contents)
  const ours = contents.map((content) => contentFault('.gitmodules', content) !== undefined)
  const shown = (which: (i: number) => boolean) =>
    contents.flatMap((content, i) => (which(i) ? [content.toString()] : []))
  expect(shown((i) => theirs[i] === true && !ours[i])).toEqual([])
  // Stricter only where a control character hides in an address.
  expect(shown((i) => !theirs[i] && ours[i] === true && !/%0a|\\n|\r/.test(String(contents[i])))).toEqual([])
  expect(ours.filter((fault) => !fault).length).toBeGreaterThan(100)
})

test('git and we object to the same .gitattributes', async () => {
  const long = (n: number) => 'x'.repeat(n)
  const texts = [
    '',
    '*.bin filter=lfs\n',
    long(2047),
    long(2048),
    `a\n${long(2047)}\nb`,
    `a\n${long(2048)}\n`,
    `${long(2047)}\r\n`,
    `\0${long(3000)}`,
    `a\0b\n${long(3000)}`,
  ]
  const contents = texts.map((text) => Buffer.from(text))
  const theirs = await gitObjects('.gitattributes', contents)
  expect(contents.map((content) => contentFault('.gitattributes', content) !== undefined)).toEqual(theirs)
  expect(theirs.filter(Boolean).length).toBe(3)
})

test('a line is measured alike in however many pieces it comes', () => {
  const content = fc.array(fc.constantFrom('x'.repeat(1023), 'x'.repeat(1024), 'x', '\n', '\0'), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(content, fc.integer({ min: 1, max: 2000 }), (parts, size) => {
      const bytes = Buffer.from(parts.join(''))
      const meter = new LineMeter()
      let isWithin = true
      for (let at = 0; at < bytes.length && isWithin; at += size)
        isWithin = meter.isWithin(bytes.subarray(at, at + size))
      expect(isWithin).toBe(contentFault('.gitattributes', bytes) === undefined)
    }),
  )
})

test('a name of a million dots is looked at as soon as any other', () => {
  const dots = '.'.repeat(1_000_000)
  expect(judgedFile(`${dots}x`)).toBeUndefined()
  expect(judgedFile(`.gitmodules${dots}`)).toBe('.gitmodules')
})
