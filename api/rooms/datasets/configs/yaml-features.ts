import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'
import { isStruct, MAX_FEATURE_DEPTH, readFeature } from '../features/feature.ts'
import { PlanFault } from './plan-fault.ts'

/** Columns as a card writes them: `- name: text`, `dtype: string` (docs/protocols/datasets.md §4). Throws `PlanFault`. */
export function yamlFeatures(list: unknown): NamedFeature[] {
  if (!Array.isArray(list)) throw fault('must be a list of columns')
  return list.map((column: unknown) => {
    const { name, ...rest } = isMap(column) ? column : {}
    if (typeof name !== 'string') throw fault('needs a name for each column')
    return { name, type: typeOf(rest, 0) }
  })
}

const isMap = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const fault = (why: string) => new PlanFault('FeaturesError', `\`features\` in the card ${why}.`)

const listKinds = { list: 'List', sequence: 'List', large_list: 'LargeList' } as const

function typeOf(given: unknown, depth: number): FeatureType {
  if (depth > MAX_FEATURE_DEPTH) throw fault('is nested too deep')
  if (Array.isArray(given)) return structOf(given, depth)
  if (!isMap(given)) throw fault('must use maps and lists for types')
  const [kind] = Object.keys(given)
  if (kind === 'list' || kind === 'sequence' || kind === 'large_list') return listOf(kind, given, depth)
  if (kind === 'struct') return typeOf(given['struct'], depth + 1)
  if (kind === 'dtype') {
    const { dtype } = given
    return typeof dtype === 'string' ? scalarOf(dtype) : typeOf(dtype, depth + 1)
  }
  if (kind === undefined) return {}
  const inner = given[kind]
  return known({ ...(isMap(inner) ? withNames(inner) : {}), _type: camelCase(kind) }, kind)
}

function structOf(fields: unknown[], depth: number): FeatureType {
  return Object.fromEntries(
    fields.map((field) => {
      const { name, ...rest } = isMap(field) ? field : {}
      if (typeof name !== 'string') throw fault('needs a name for each field of a struct')
      return [name, typeOf(rest, depth + 1)]
    }),
  )
}

function listOf(kind: keyof typeof listKinds, given: Record<string, unknown>, depth: number): FeatureType {
  const inner = given[kind]
  const feature = typeof inner === 'string' ? scalarOf(inner) : typeOf(inner, depth + 1)
  const { length } = given
  const sized = typeof length === 'number' && length >= 0 ? { length } : {}
  // An old sequence of fields is a struct of lists.
  if (kind === 'sequence' && isStruct(feature))
    return Object.fromEntries(
      Object.entries(feature).map(([name, field]): [string, FeatureType] => [
        name,
        { _type: 'List', feature: field, ...sized },
      ]),
    )
  return { _type: listKinds[kind], feature, ...sized }
}

const valueTypes =
  /^(null|bool|u?int(8|16|32|64)|float(16|32|64)?|double|halffloat|(large_)?string|string_view|(large_)?binary|date(32|64)|time(32|64)\[.+\]|timestamp\[.+\]|duration\[.+\]|decimal(128|256)\(.+\)|fixed_size_binary\[\d+\])$/

function scalarOf(dtype: string): FeatureType {
  if (!valueTypes.test(dtype)) return known({ _type: camelCase(dtype) }, dtype)
  const long = ({ float: 'float32', double: 'float64', halffloat: 'float16' } as Record<string, string>)[
    dtype
  ]
  return { _type: 'Value', dtype: long ?? dtype }
}

/** Names of labels may be a map of their numbers. */
function withNames(inner: Record<string, unknown>): Record<string, unknown> {
  const { names } = inner
  if (!isMap(names)) return inner
  const numbers = Object.keys(names)
    .map(Number)
    .sort((a, b) => a - b)
  if (numbers.some((n, i) => n !== i)) throw fault('must name every label from 0 on')
  return { ...inner, names: numbers.map((n) => String(names[n])) }
}

function known(type: unknown, word: string): FeatureType {
  const found = readFeature(type)
  if (!found) throw fault(`has a type that is not known: ${word.slice(0, 100)}`)
  return found
}

const camelCase = (word: string) =>
  word
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
