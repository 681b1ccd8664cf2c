import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { proseOf, textsOf } from './prose.ts'

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

/** Common nouns with a capital inside a sentence: `the Repo`. */
const capitals =
  /(?<=[a-z,;] |\b(?:A|An|The) )(?:Repo|Token|Organisation|Namespace|Session|Revision|Collection|Commit|Member|Job|Role)s?(?=[\s.,;:?!)’'"`]|$)/gm

/** What people read: pages, documents, the published client and how to deploy. */
const folders = ['web', 'docs', 'shared', 'deploy']
const readable = /(?<!\.gen)\.(?:ts|tsx|css|md|html|ya?ml|sh|conf|service)$/
/** Tests, what they share, and development tools: only their comments and the titles of tests are read. */
const isTool = (file: string) => /^e2e\/|^api\/dev\/|\.test\.ts$|\/testing(\/|\.ts$)/.test(file)
const isCode = (file: string) => /\.(?:ts|mjs|py)$/.test(file)
/** Files that have the words as data. */
const listed = /^api\/dev\/check-words\./

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Each word of the list in `text`, with its line. */
export function wordFaults(file: string, text: string): string[] {
  return [...text.matchAll(pattern)].map(
    ({ 0: found, index }) =>
      `${file}:${lineAt(text, index)}: "${found}"; write: ${words[found.toLowerCase()]}`,
  )
}

/** Each common noun in `text` that has a capital without beginning a sentence, with its line. */
export function capitalFaults(file: string, text: string): string[] {
  return [...text.matchAll(capitals)].map(
    ({ 0: found, index }) => `${file}:${lineAt(text, index)}: "${found}"; write: ${found.toLowerCase()}`,
  )
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => !/\/(node_modules|dist|test-results|\.venv)\//.test(file) && !listed.test(file))

/** Of a page's source, names of types keep their capitals; the compatibility page quotes names of tests. */
function faultsOfPage(file: string, source: string): string[] {
  const texts = /\.tsx?$/.test(file) ? textsOf(file, source) : source
  const capitals = file === 'docs/compatibility.md' ? [] : capitalFaults(file, texts)
  return [...wordFaults(file, source), ...capitals]
}

function faultsOfCode(file: string, source: string): string[] {
  if (!isTool(file)) return [...wordFaults(file, source), ...capitalFaults(file, textsOf(file, source))]
  const prose = proseOf(file, source)
  return [...wordFaults(file, prose), ...capitalFaults(file, prose)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const read = (file: string) => readFileSync(file, 'utf8')
  const pages = [...folders.flatMap(filesBelow).filter((file) => readable.test(file)), 'README.md']
  const code = ['api', 'e2e'].flatMap(filesBelow).filter(isCode)
  const faults = [
    ...pages.flatMap((file) => faultsOfPage(file, read(file))),
    ...code.flatMap((file) => faultsOfCode(file, read(file))),
  ]
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
