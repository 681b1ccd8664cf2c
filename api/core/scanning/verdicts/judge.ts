import type { FoundImport, Safety } from '../facts.ts'
import python2 from './python2.json' with { type: 'json' }
import data from './verdicts.json' with { type: 'json' }

const modules = new Set(data.dangerousModules)
const attributes = new Set(data.dangerousAttributes)
const dangerousNames = namesBy(data.dangerousNames)
const innocuousNames = namesBy(data.innocuous)
const meanings = new Map(Object.entries(data.meanings))
const oldModules = new Map(Object.entries(python2.modules))
const oldNames = new Map(Object.entries(python2.names))

function namesBy(lists: Record<string, string[]>): Map<string, ((name: string) => boolean)[]> {
  return new Map(Object.entries(lists).map(([module, names]) => [module, names.map(matcher)]))
}

/** A name, or one with `*` for any characters but a dot. */
function matcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const expression = new RegExp(`^${pattern.replaceAll('*', '[A-Za-z0-9_]*')}$`)
  return (name) => expression.test(name)
}

/** What Python 3 imports for a name of Python 2; the same for all others. */
export function asPython3(module: string, name: string): [string, string] {
  const renamed = oldNames.get(`${module} ${name}`)
  if (renamed) return [renamed[0] ?? '', renamed[1] ?? '']
  return [oldModules.get(module) ?? module, name]
}

/**
 * How safe an import is. A dotted name is a walk over attributes: `logging` with `os.system` calls `os`, so every part of
 * it counts (indexing.md §3.3).
 */
export function judge(module: string, name: string): Safety {
  // A name of Python 2 is as dangerous in a protocol that does not map it: another program may.
  if (isDangerous(module, name) || isDangerous(...asPython3(module, name))) return 'dangerous'
  return innocuousNames.get(module)?.some((matches) => matches(name)) ? 'innocuous' : 'suspicious'
}

function isDangerous(module: string, name: string): boolean {
  if (module === '' || name === '') return true
  const parts = name.split('.')
  if (parts.some((part) => modules.has(part) || attributes.has(part))) return true
  const whole = `${module}.${name}`.split('.')
  let prefix = ''
  for (const [i, part] of whole.entries()) {
    prefix = i === 0 ? part : `${prefix}.${part}`
    if (modules.has(prefix)) return true
    const next = whole[i + 1]
    if (next !== undefined && dangerousNames.get(prefix)?.some((matches) => matches(next))) return true
  }
  return false
}

/** An import with its verdict and what it can do. */
export function judged(module: string, name: string): FoundImport {
  const meaning = meanings.get(`${module} ${name}`) ?? meaningOfModule(module)
  return { module, name, safety: judge(module, name), ...(meaning === undefined ? {} : { meaning }) }
}

function meaningOfModule(module: string): string | undefined {
  for (let at = module; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const meaning = meanings.get(at)
    if (meaning !== undefined) return meaning
  }
  return undefined
}
