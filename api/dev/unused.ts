import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { parseSync, type ParseResult } from 'oxc-parser'

/** Texts by their path from the repository's root. */
type Sources = Map<string, string>

/** What others than our own files read: settings of tools, and what is published. `misuse.ts` need only not compile. */
const isEntry = (file: string) =>
  file.startsWith('shared/') || /(\.config|\.schema|\.d|\/misuse)\.ts$/.test(file)

const everything = '*'

/** What a file asks of another one: a name of it, or all of them. */
interface Use {
  of: string
  name: string
}

/** Values that are exported, and imported by no file, tests among them: each as `file: name`. Types cost nothing. */
export function unusedExports(sources: Sources): string[] {
  const used = new Map<string, Set<string>>()
  const exported: Use[] = []
  for (const [file, source] of sources) {
    const { module } = parseSync(file, source)
    for (const { of, name } of usesOf(file, source, module))
      used.set(of, (used.get(of) ?? new Set()).add(name))
    if (!isEntry(file)) exported.push(...exportsOf(module).map((name) => ({ of: file, name })))
  }
  return exported.flatMap(({ of, name }) => {
    const asked = used.get(of)
    return asked?.has(name) || asked?.has(everything) ? [] : [`${of}: ${name}`]
  })
}

type Module = ParseResult['module']

function exportsOf(module: Module): string[] {
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, isType }) =>
      !isType && exportName.kind === 'Name' && exportName.name ? [exportName.name] : [],
    ),
  )
}

function usesOf(file: string, source: string, module: Module): Use[] {
  const target = (specifier: string) => normalize(join(dirname(file), specifier))
  const imports = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({
      of: target(moduleRequest.value),
      name: importName.kind === 'Name' ? (importName.name ?? everything) : everything,
    })),
  )
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest ? [{ of: target(moduleRequest.value), name: importName.name ?? everything }] : [],
    ),
  )
  const late = [...source.matchAll(/\b(?:import|importActual)\(\s*(?:new URL\(\s*)?['"]([^'"]+)['"]/g)].map(
    (match) => ({
      of: target(match[1] ?? ''),
      name: everything,
    }),
  )
  return [...imports, ...passedOn, ...late]
}

/** Every source of ours. */
function ourSources(root: string): Sources {
  const files = ['api', 'web', 'shared', 'e2e', 'drizzle'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => join(folder, file)),
  )
  return new Map([...files, 'vite.config.ts'].map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = unusedExports(ourSources(process.cwd()))
  for (const each of found) process.stdout.write(`${each}\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
