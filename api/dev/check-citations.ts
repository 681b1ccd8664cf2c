import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where comments and documents cite rules. */
const places = ['api', 'web', 'shared', 'e2e', 'deploy', 'docs', 'README.md']
const skipped = new Set(['node_modules', 'dist', 'test-results', '__pycache__'])
/** Of other files only comments are prose; the rest may name a document of a test's own. */
const prose = new Set(['.md', '.json'])
const readable = /\.(?:ts|tsx|mjs|js|py|sh|css|html|ya?ml|json|md|service|conf|txt|toml|tpl)$/
const folder = 'docs/protocols'

const mark = '\u00a7'
const section = `${mark}\\d+(?:\\.\\d+)*`
/** One or several sections or rows behind the name of what they are in: of a document here, or of a public standard. */
const citation = new RegExp(
  `(?:\\b([\\w-]+)\\.md|RFC \\d+|FIPS [\\d-]+|X\\.\\d+)[\`)]* +(?:\\([\\w-]+\\.md\\) +)?((?:(?:, +)?(?:${section}|L\\d+\\b))+)`,
  'g',
)
/** Comments of all languages here; a URL counts as one as well, which does no harm. */
const comments = /\/\*[^]*?\*\/|\/\/[^\n]*|(?:^|\s)#[^\n]*|"""[^]*?"""|<!--[^]*?-->/g
/** A path in the documents of another project has the project's name before it: `git-lfs: docs/spec.md`. */
const documentPath = /(?<![\w-]: *)(?<![\w/.-])docs\/[\w./-]+\.md\b/g

/** The numbers that a document has as headings, and the rows of its tables that have names such as L5. */
export function sectionsOf(document: string): Set<string> {
  const headings = [...document.matchAll(/^#{2,6} (\d+(?:\.\d+)*)(?= )/gm)]
  const rows = [...document.matchAll(/^\| (L\d+) +\|/gm)]
  return new Set([...headings, ...rows].map((found) => found[1] ?? ''))
}

/** Sections by the name of their document, without `.md`. */
export type Documents = ReadonlyMap<string, ReadonlySet<string>>

const placesIn = (text: string): string[] => text.match(/\d+(?:\.\d+)*|L\d+/g) ?? []

/** Line breaks and the signs of a comment before the next line become blanks, so that citations may wrap. */
const joined = (text: string): string =>
  text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?!#))?[ \t]*/g, (gap) => ' '.repeat(gap.length))

/** A document of the folder cites its own sections by their numbers alone, and so does the table of calls. */
function ownDocument(file: string): string | undefined {
  if (file === 'e2e/compat/rows.json') return 'hub-wire'
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).replace(/\.md$/, '') : undefined
}

/** What is wrong with the citations of one file, each with its line. */
export function citationFaults(
  file: string,
  text: string,
  documents: Documents,
  exists: (path: string) => boolean,
): string[] {
  const faults: string[] = []
  const fail = (at: number, fault: string) => {
    faults.push(`${file}:${text.slice(0, at).split('\n').length}: ${fault}`)
  }
  const check = (at: number, name: string, cited: string[]) => {
    const known = documents.get(name)
    if (!known) return fail(at, `there is no ${folder}/${name}.md`)
    for (const each of cited) if (!known.has(each)) fail(at, `${folder}/${name}.md has no section ${each}`)
  }
  const own = ownDocument(file)
  const rest = joined(text).replaceAll(
    citation,
    (whole, name: string | undefined, cited: string, at: number) => {
      if (name !== undefined) check(at, name, placesIn(cited))
      return ' '.repeat(whole.length)
    },
  )
  for (const { 0: cited, index } of rest.matchAll(new RegExp(`${section}|${mark}`, 'g'))) {
    if (own !== undefined && cited !== mark) check(index, own, placesIn(cited))
    else fail(index, `${cited} names no document; write <document>.md before it`)
  }
  for (const { path, at } of pathsIn(file, text)) if (!exists(path)) fail(at, `there is no ${path}`)
  return faults
}

/** Paths of documents that the comments of a file name. */
function pathsIn(file: string, text: string): { path: string; at: number }[] {
  const whole = prose.has(extname(file)) ? [{ 0: text, index: 0 }] : [...text.matchAll(comments)]
  return whole.flatMap(({ 0: part, index }) =>
    [...joined(part).matchAll(documentPath)].map((found) => ({ path: found[0], at: index + found.index })),
  )
}

function filesBelow(root: string, path: string): string[] {
  if (readable.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const below = `${path}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(root, below)
    return readable.test(entry.name) ? [below] : []
  })
}

/** The faults of all citations below `root`. */
export function findCitationFaults(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
  const documents = new Map(
    names.map((name) => [name.replace(/\.md$/, ''), sectionsOf(read(`${folder}/${name}`))]),
  )
  return places
    .flatMap((place) => filesBelow(root, place))
    .flatMap((file) => citationFaults(file, read(file), documents, (path) => existsSync(join(root, path))))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = findCitationFaults(process.cwd())
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
