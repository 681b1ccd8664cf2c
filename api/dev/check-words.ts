import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

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
const pattern = new RegExp(`\\b(${Object.keys(words).join('|')})\\b`, 'gi')

/** What people read: pages, documents, the published client, errors and the texts of the API reference. */
const folders = ['web', 'docs', 'shared', 'deploy', 'api/platform/problems']
const readable = /(?<!\.gen)\.(?:ts|tsx|css|md|html|ya?ml|sh|conf|service)$/
/** Rooms that are checked whole, with comments and tests. */
const plainRooms = ['api/rooms/uploads', 'api/rooms/webhooks']
/** Texts of the OpenAPI document and of errors, wherever they are in `api/`. */
const spoken = /(?:description|summary|detail|title|describe\()[:(]? *\(?\s*(['`"])(?:(?!\1)[^\\]|\\.)*\1/g

/** Each such word in `text`, with its line. */
export function wordFaults(file: string, text: string): string[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${file}:${line}: "${found}"; write: ${words[found.toLowerCase()]}`
  })
}

/** As `wordFaults`, in the texts of code that callers get to read; what stands beside them is left out. */
export function spokenFaults(file: string, code: string): string[] {
  const blanks = (text: string) => text.replaceAll(/[^\n]/g, ' ')
  let rest = ''
  let at = 0
  for (const { 0: found, index } of code.matchAll(spoken)) {
    rest += blanks(code.slice(at, index)) + found
    at = index + found.length
  }
  return wordFaults(file, rest)
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => readable.test(file) && !/\/(node_modules|dist|test-results)\//.test(file))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const read = (file: string) => readFileSync(file, 'utf8')
  const faults = [
    ...[...[...folders, ...plainRooms].flatMap(filesBelow), 'README.md'].flatMap((file) =>
      wordFaults(file, read(file)),
    ),
    ...filesBelow('api')
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\/|^api\/dev\//.test(file))
      .flatMap((file) => spokenFaults(file, read(file))),
  ]
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
