import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { parseSync } from 'oxc-parser'

/** One import: `to` is a path from the repository's root, or the name of a package. */
export interface Import {
  from: string
  to: string
  isPackage: boolean
}

/** Everything a file imports, types included, with relative paths resolved. */
export function importsOf(file: string, source: string): Import[] {
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message ?? 'cannot be parsed'}`)
  const specifiers = [
    ...module.staticImports.map((found) => found.moduleRequest.value),
    ...module.staticExports.flatMap((found) => found.entries.map((entry) => entry.moduleRequest?.value)),
    ...[...source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1]),
  ]
  return [...new Set(specifiers)]
    .filter((specifier) => specifier !== undefined)
    .map((specifier) => {
      const isPackage = !specifier.startsWith('.')
      return { from: file, to: isPackage ? specifier : normalize(join(dirname(file), specifier)), isPackage }
    })
}

/** The TypeScript below the given folders of the repository: path from its root → text. */
export function sourcesBelow(root: string, folders: string[]): Map<string, string> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => join(folder, file)),
  )
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Every import of the TypeScript below the given folders of the repository. */
export function importsBelow(root: string, folders: string[]): Import[] {
  return [...sourcesBelow(root, folders)].flatMap(([file, source]) => importsOf(file, source))
}
