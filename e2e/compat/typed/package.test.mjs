// What the packed client holds, and what the compiler says of programs that use it. Run by `run.mjs`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = process.env.TYPED_FOLDER
const root = fileURLToPath(new URL('../../..', import.meta.url))
const installed = join(folder, 'node_modules', '@arsenal', 'shared')

const strict = {
  target: 'ES2023',
  lib: ['ES2023'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
}
/** What programs are written for: Node with its own resolution, and a bundler with a page. */
const targets = {
  node: { ...strict, module: 'NodeNext' },
  page: { ...strict, module: 'ESNext', moduleResolution: 'Bundler', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
}

function compile(name, compilerOptions, files) {
  const project = join(folder, `tsconfig.${name}.json`)
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const { status, stdout } = spawnSync(tsc, ['-p', project, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, output: stdout }
}

test('the package stands alone', () => {
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  assert.deepEqual(packages, ['@arsenal'])
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
})

test('the package holds the compiled modules, their types, the licence, and nothing else', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort()
  const modules = ['client', 'operations.gen', 'problems', 'retry', 'sha256', 'transfer', 'vocabulary']
  const made = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`])
  assert.deepEqual(files, ['README.md', 'dist', 'dist/LICENSE', 'package.json', ...made].sort())
})

/** The example of the package's own README, pointed at the server of this run. */
function writeExample() {
  const [, code] = /```ts\n([^]*?)```/.exec(readFileSync(join(installed, 'README.md'), 'utf8'))
  const pointed = code
    .replace("'http://localhost:8080'", `'${process.env.ARSENAL_URL}'`)
    .replace("'alice'", `'${process.env.ARSENAL_USER}'`)
  assert.notEqual(code, pointed)
  writeFileSync(join(folder, 'example.ts'), pointed)
}

test('the example of the README compiles', () => {
  writeExample()
  const emit = { ...targets.node, outDir: join(folder, 'out', 'node'), rootDir: folder }
  assert.deepEqual(compile('example', emit, ['example.ts']), { status: 0, output: '' })
})

for (const [name, options] of Object.entries(targets))
  test(`a strict program compiles against it: ${name}`, () => {
    const emit = { ...options, outDir: join(folder, 'out', name), rootDir: folder }
    assert.deepEqual(compile(name, emit, ['program.test.ts']), { status: 0, output: '' })
  })

for (const [name, options] of Object.entries(targets))
  test(`the compiler refuses every misuse, and nothing else: ${name}`, () => {
    const { status, output } = compile(`misuse-${name}`, { ...options, noEmit: true }, ['misuse.ts'])
    const refused = [...output.matchAll(/^misuse\.ts\((\d+),/gm)].map(([, line]) => Number(line))
    const lines = readFileSync(join(folder, 'misuse.ts'), 'utf8').split('\n')
    const wrong = lines.flatMap((line, i) => (line.endsWith('// wrong') ? [i + 1] : []))
    assert.notEqual(status, 0)
    assert.deepEqual([...new Set(refused)], wrong)
    assert.ok(wrong.length > 10)
  })
