import type { FeatureType, NamedFeature } from '../../../../../shared/viewer.ts'
import { isKind, isStruct } from '../../features/feature.ts'
import { quoted } from '../../sql-text.ts'
import type { Term } from './ast.ts'
import { syntaxFault } from './tokens.ts'

/** What a term may be compared with. */
export type Kind =
  | {
      of: 'integer' | 'float' | 'float32' | 'text' | 'boolean' | 'date' | 'time' | 'timestamp' | 'timestamptz'
    }
  | { of: 'decimal'; scale: number }
  | { of: 'label'; names: string[] }
  | { of: 'list' | 'other' }

export interface Resolved {
  /** An expression over the columns `c0`, `c1`, … that no text of a user is in. */
  sql: string
  kind: Kind
  /** The column it is of: `c0`, `c1`, … */
  place: string
}

/** A feature by its name, else by the only one that differs in case. */
function find<T>(all: readonly T[], nameOf: (one: T) => string, name: string): number {
  const exact = all.findIndex((one) => nameOf(one) === name)
  if (exact >= 0) return exact
  const same = all.flatMap((one, i) => (nameOf(one).toLowerCase() === name.toLowerCase() ? [i] : []))
  return same.length === 1 ? (same[0] ?? -1) : -1
}

/** The column of a term, or the field of one that it names. */
export function resolve(term: Term, features: readonly NamedFeature[]): Resolved {
  const [name = '', ...fields] = term.path
  const index = find(features, (feature) => feature.name, name)
  const feature = features[index]
  if (!feature) throw syntaxFault(`There is no column ${JSON.stringify(name)}`, term.at)
  const place = `c${index}`
  let sql = place
  let { type } = feature
  for (const field of fields) {
    const inner = isStruct(type) ? Object.entries(type) : []
    const at = find(inner, ([key]) => key, field)
    const [key, found] = inner[at] ?? []
    if (key === undefined || !found)
      throw syntaxFault(`${JSON.stringify(name)} has no field ${JSON.stringify(field)}`, term.at)
    sql = `struct_extract(${sql}, ${quoted(key)})`
    type = found
  }
  return called(term, { sql, kind: kindOf(type), place })
}

/** The kind of a type, as far as filters can use it. */
export function kindOf(type: FeatureType): Kind {
  if (isKind(type, 'ClassLabel')) return { of: 'label', names: type.names }
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return { of: 'list' }
  if (!isKind(type, 'Value')) return { of: 'other' }
  const { dtype } = type
  if (/^u?int\d+$/.test(dtype)) return { of: 'integer' }
  if (dtype === 'float32' || dtype === 'float16') return { of: 'float32' }
  if (dtype === 'float64') return { of: 'float' }
  if (/string/.test(dtype)) return { of: 'text' }
  if (dtype === 'bool') return { of: 'boolean' }
  if (dtype.startsWith('date')) return { of: 'date' }
  if (/^time(32|64)/.test(dtype)) return { of: 'time' }
  if (dtype.startsWith('timestamp')) return { of: dtype.includes('tz=') ? 'timestamptz' : 'timestamp' }
  const [, scale] = /^decimal\d+\(\d+, (\d+)\)$/.exec(dtype) ?? []
  return scale === undefined ? { of: 'other' } : { of: 'decimal', scale: Number(scale) }
}

function called({ call, at, path }: Term, { sql, kind, place }: Resolved): Resolved {
  if (call === undefined) return { sql, kind, place }
  const wrong = (takes: string) => syntaxFault(`${call}() takes ${takes}, and ${path.join('.')} is none`, at)
  switch (call) {
    case 'len':
    case 'length':
      if (kind.of !== 'text' && kind.of !== 'list') throw wrong('text or a list')
      return { sql: `len(${sql})`, kind: { of: 'integer' }, place }
    case 'lower':
    case 'upper':
      if (kind.of !== 'text') throw wrong('text')
      return { sql: `${call}(${sql})`, kind, place }
    default:
      if (!/^(date|timestamp)/.test(kind.of)) throw wrong('a date or a timestamp')
      return { sql: `${call}(CAST(${sql} AS TIMESTAMP))`, kind: { of: 'integer' }, place }
  }
}
