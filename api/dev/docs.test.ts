import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commands } from '../app/cli/commands.ts'
import { keys } from '../platform/config/keys.ts'
import { jobKinds } from '../app/housekeeping.ts'
import { catalogue } from '../platform/problems/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = [
  'README.md',
  'shared/README.md',
  ...['docs', 'docs/protocols'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

/** The matches of a pattern's first group, each once. */
const found = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? '')),
]

describe.each(documents)('%s names what there is', (path) => {
  const text = read(path)

  test('files of the repository', () => {
    const inText = found(text, /`((?:api|web|shared|drizzle|e2e|docs)\/[\w./-]*)`/g).map((name) =>
      join(root, name),
    )
    const links = found(text, /\]\((?!https?:)([\w./-]+)(?:#[\w-]+)?\)/g).map((name) =>
      join(root, dirname(path), name),
    )
    expect([...inText, ...links].filter((name) => !existsSync(name))).toEqual([])
  })

  test('npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(found(text, /npm run ([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([])
  })

  test('commands', () => {
    const named = found(text, /(?:`|^)arsenal ([a-z]+(?: [a-z-]+)?)\b(?! <command>)/gm)
    const known = Object.keys(commands)
    expect(
      named.filter((name) => !known.includes(name) && !known.includes(name.split(' ')[0] ?? '')),
    ).toEqual([])
  })

  test('configuration keys, their variables, and kinds of jobs', () => {
    const known = keys()
    const sections = [...new Set(known.map(({ path: [section] }) => section))].join('|')
    const named = found(text, new RegExp(`(?:\`|--set )((?:${sections})\\.[\\w.]+)`, 'g'))
    const names = [...known.map(({ name }) => name.replace('.<id>', '')), ...jobKinds.map(({ kind }) => kind)]
    expect(
      named.filter((name) => !names.some((each) => each === name || each.startsWith(`${name}.`))),
    ).toEqual([])
    const variables = found(text, /\b(SERVICE_[A-Z_]+[A-Z])\b/g).filter((name) => name !== 'SERVICE_CONFIG')
    expect(variables.filter((name) => !known.some(({ env }) => env?.startsWith(name)))).toEqual([])
  })
})

test('every script of package.json runs a file that exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const files = Object.values(scripts).flatMap((script) => found(script, /\b(api\/[\w./-]+)/g))
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('docs/api.md lists every problem with its status and title', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| (\d{3}) +\| `([\w-]+)` +\| (.*?) +\|$/gm)]
  const listed = rows.map(([, status, code, title]) => [code, { status: Number(status), title }])
  const expected = Object.entries(catalogue).map(([code, { status, title }]) => [code, { status, title }])
  expect(listed).toEqual(expected)
})

test('docs/clients.md names the versions that are tested', () => {
  const requirements = ['a', 'b', 'c', 'd', 'oldest-datasets']
    .map((name) => read(`e2e/compat/requirements-${name}.txt`))
    .join('\n')
  const text = read('docs/clients.md')
  const wanted = found(
    requirements,
    /^((?:huggingface-hub|transformers|datasets|sentence-transformers|diffusers|peft|timm)==[\w.]+)$/gm,
  ).map((line) => line.split('==')[1] ?? '')
  expect(wanted.length).toBeGreaterThan(5)
  expect(wanted.filter((version) => !text.includes(version))).toEqual([])
})

test('docs/pages.md names journeys that there are', () => {
  const files = [
    ...read('docs/pages.md').matchAll(/\(\.\.\/(e2e\/web\/[\w/-]+\.spec\.ts)\): (.*?)(?=<br>| \|)/g),
  ]
  const journeys = files.flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“(.+?)”/g)].map(([, title = '']) => ({ file, title })),
  )
  expect(journeys.length).toBeGreaterThan(60)
  expect(journeys.filter(({ file, title }) => !read(file).includes(`('${title}'`))).toEqual([])
})
