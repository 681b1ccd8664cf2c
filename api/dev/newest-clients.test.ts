import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Client {
  client: string
  stage: string
  with?: Record<string, string>
}

const table = JSON.parse(readFileSync(`${root}e2e/compat/clients.json`, 'utf8')) as { clients: Client[] }

/** The newest clients as [name, version]: an update changes them in clients.json alone. */
function newest(): [string, string][] {
  const [python] = table.clients.filter(({ stage }) => stage === 'compat-e')
  const [node] = table.clients.filter(({ client }) => client.startsWith('@huggingface/hub '))
  if (!python || !node) throw new Error('clients.json names no newest client')
  const split = ({ client }: Client) => client.split(' ') as [string, string]
  return [split(python), split(node), ...Object.entries(python.with ?? {})]
}

const asWords = (name: string) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/[-_]/g, '[-_]')

/** What a comment says of a version is a fact about that version, and stays true. */
const comments = /\/\*[\s\S]*?\*\/|^\s*(?:\/\/|#|\*).*$|"""[\s\S]*?"""/gm

/** Whether a text names this version of a client, as code that installs or picks it does. */
function names(text: string, [name, version]: [string, string]): boolean {
  const pattern = `(?<![\\w-])${asWords(name)}["'\`]?\\s*(?:[@ :,-]|==|>=|~=)\\s*["'\`^~v]{0,2}${asWords(version)}(?![\\w.])`
  return new RegExp(pattern).test(text.replace(comments, ''))
}

/** Programs and lists of the tests. Older environments are pinned to what was current with their client. */
const files = ['api/dev', 'e2e']
  .flatMap((folder) => filesIn(folder))
  .filter((file) => /\.(?:mjs|ts|py|txt|json|toml|ya?ml)$/.test(file))
  .filter(
    (file) =>
      !/node_modules|clients\.json$|newest-clients\.test\.ts$|requirements-(?:[a-d]|oldest-datasets)\.txt$/.test(
        file,
      ),
  )

function filesIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  )
}

test('the newest clients are the Python library, hf-xet and the JavaScript library', () => {
  expect(newest().map(([name]) => name)).toEqual(['huggingface_hub', '@huggingface/hub', 'hf-xet'])
  for (const [, version] of newest()) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})

test('no file but clients.json picks a version of the newest clients', () => {
  expect(files).toContain('e2e/compat/requirements-e.txt')
  const found = files.flatMap((file) => {
    const text = readFileSync(`${root}${file}`, 'utf8')
    return newest()
      .filter((client) => names(text, client))
      .map((client) => `${file}: ${client.join(' ')}`)
  })
  expect(found).toEqual([])
})

test.each([
  'hf-xet==9.8.7',
  'hf_xet >= 9.8.7',
  'run("pip", "install", "hf-xet==9.8.7")',
  '"hf-xet": "^9.8.7"',
  'const made = `hf-xet-9.8.7`',
  "install('hf-xet', '9.8.7')",
])('a version is found in %s', (text) => {
  expect(names(text, ['hf-xet', '9.8.7'])).toBe(true)
})

test.each([
  '// hf-xet 9.8.7 does so',
  '# hf-xet==9.8.7',
  'hf-xet==9.8.70',
  'other==9.8.7',
  'my-hf-xet==9.8.7',
])('none is found in %s', (text) => {
  expect(names(text, ['hf-xet', '9.8.7'])).toBe(false)
})
