import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { proseOf } from './prose.ts'

/** Words that make a sentence hard to read, and what to write instead. */
const words: Record<string, string> = {
  anew: 'again, new',
  mend: 'fix',
  mends: 'fixes',
  mended: 'fixed',
  told: 'say who learns what, and how: sees, is notified, reported',
  whoever: 'callers who, users who',
  nobody: 'no user, an anonymous caller',
  'is given up': 'is deleted, fails, stops',
  'are given up': 'are deleted, fail, stop',
  'let go': 'expires, is released',
  'hands on': 'passes',
  'goes on to': 'then',
}
const pattern = new RegExp(`(?<!\`)\\b(${Object.keys(words).join('|')})\\b`, 'gi')

/** What people read: pages, documents, the published client, errors and the texts of the API reference. */
const folders = ['web', 'docs', 'shared', 'deploy']
const readable = /(?<!\.gen)\.(?:ts|tsx|css|md|html|ya?ml|sh|conf|service)$/
/** Tests, what they share, and development tools: their comments and the titles of tests are checked. */
const tools = ['api', 'e2e']
const isTool = (file: string) =>
  /\.(?:ts|mjs|py)$/.test(file) && /^e2e\/|^api\/dev\/|\.test\.ts$|\/testing(\/|\.ts$)/.test(file)
/** Files that have the words as data. */
const listed = /^api\/dev\/check-words\./

/** Each such word in `text`, with its line. */
export function wordFaults(file: string, text: string): string[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${file}:${line}: "${found}"; write: ${words[found.toLowerCase()]}`
  })
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => !/\/(node_modules|dist|test-results|\.venv)\//.test(file) && !listed.test(file))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const read = (file: string) => readFileSync(file, 'utf8')
  const code = filesBelow('api').filter((file) => file.endsWith('.ts') && !isTool(file))
  const files = [...folders.flatMap(filesBelow).filter((file) => readable.test(file)), ...code, 'README.md']
  const faults = [
    ...files.flatMap((file) => wordFaults(file, read(file))),
    ...tools
      .flatMap(filesBelow)
      .filter(isTool)
      .flatMap((file) => wordFaults(file, proseOf(file, read(file)))),
  ]
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
