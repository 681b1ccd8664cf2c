import type { FeatureType } from '../../../../../shared/viewer.ts'
import { mediaKindOf } from '../../configs/builders.ts'
import { isKind, isMedia, isStruct, json, listOf, value } from '../../features/feature.ts'
import { scanJson } from '../../infer/json-scan.ts'
import { JsonType } from '../../infer/json-type.ts'
import { notReadable } from './task-fault.ts'

/*
 * Members of webdataset archives as cells, by the last suffix of their field (docs/protocols/datasets.md §4).
 */

const texts = new Set(['txt', 'text', 'transcript'])
const integers = new Set(['cls', 'cls2', 'index', 'inx', 'id'])
const jsons = new Set(['json', 'jsn'])
/** The library makes arrays or objects of these; here they stay bytes. */
const undecoded = new Set([
  'ten',
  'tb',
  'mp',
  'msg',
  'npy',
  'npz',
  'cbor',
  'pth',
  'gz',
  'bz2',
  'xz',
  'lz4',
  'zst',
])

const suffixOf = (field: string) => field.slice(field.lastIndexOf('.') + 1).toLowerCase()

/** Whether the library would decode a field that stays bytes here. */
export const staysBytes = (field: string): boolean => undecoded.has(suffixOf(field))

/** The type of a field, by the members of the first rows. */
export function fieldType(field: string, members: readonly Buffer[]): FeatureType {
  const suffix = suffixOf(field)
  const kind = mediaKindOf(suffix)
  if (kind) return { _type: kind }
  if (texts.has(suffix)) return value('string')
  if (integers.has(suffix)) return value('int64')
  if (!jsons.has(suffix)) return value('binary')
  const type = new JsonType()
  for (const member of members) type.add(scanned(field, member))
  return fromPython(type.type)
}

function scanned(field: string, member: Buffer) {
  try {
    return scanJson(member.toString('utf8'))
  } catch (error) {
    throw notReadable(
      `A member .${field} is no JSON: ${error instanceof Error ? error.message : 'it is damaged'}.`,
    )
  }
}

/** Python's objects have no times, so these stay text; types that the writer lacks become text as well. */
function fromPython(type: FeatureType): FeatureType {
  if (isStruct(type))
    return Object.fromEntries(Object.entries(type).map(([name, field]) => [name, fromPython(field)]))
  if (isKind(type, 'List')) return listOf(fromPython(type.feature))
  return isKind(type, 'Value') && type.dtype === 'timestamp[s]' ? value('string') : type
}

/** A member as a cell of its type. `path` names it in media. Throws `TaskFault`. */
export function cellOf(type: FeatureType, member: Buffer, path: string): unknown {
  if (isMedia(type)) return { bytes: member, path }
  if (isKind(type, 'Value') && type.dtype === 'binary') return member
  const text = member.toString('utf8')
  if (!jsons.has(suffixOf(path))) {
    if (!isKind(type, 'Value') || type.dtype !== 'int64') return text
    const digits = /^\s*([+-]?\d+)\s*$/.exec(text)?.[1]
    if (digits === undefined) throw notReadable(`The member ${path} is no integer.`)
    return BigInt(digits.replace('+', ''))
  }
  try {
    return jsonCell(type, JSON.parse(withLongNumbers(text)))
  } catch (error) {
    if (error instanceof SyntaxError) throw notReadable(`The member ${path} is no JSON: ${error.message}.`)
    throw error
  }
}

/** What comes before the digits of an integer that `JSON.parse` would round. */
const LONG = '\u0000'
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

const withLongNumbers = (text: string) =>
  text.replaceAll(token, (word) => (/^-?\d{16,}$/.test(word) ? `"\\u0000${word}"` : word))

const plainJson = (given: unknown): string => JSON.stringify(given).replaceAll(/"\\u0000(-?\d+)"/g, '$1')

function jsonCell(type: FeatureType, given: unknown): unknown {
  if (given === null || given === undefined) return null
  if (type === json || isKind(type, 'Json')) return plainJson(given)
  if (isStruct(type)) {
    const fields = given as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(type).map(([name, field]) => [name, jsonCell(field, fields[name])]),
    )
  }
  if (isKind(type, 'List'))
    return Array.isArray(given) ? given.map((item) => jsonCell(type.feature, item)) : mismatch(given)
  const { dtype } = type as { dtype?: string }
  const isLong = typeof given === 'string' && given.startsWith(LONG)
  const number = isLong ? given.slice(1) : given
  switch (dtype) {
    case 'int64':
      return isLong || Number.isInteger(number) ? BigInt(number as string) : mismatch(given)
    case 'float64':
      return isLong || typeof number === 'number' ? Number(number) : mismatch(given)
    case 'bool':
      return typeof given === 'boolean' ? given : mismatch(given)
    case 'string':
      return typeof given === 'string' && !isLong ? given : mismatch(given)
    default:
      return mismatch(given)
  }
}

function mismatch(given: unknown): never {
  throw notReadable(
    `A JSON value has another type than in the first rows of the archive: ${plainJson(given).slice(0, 200)}`,
  )
}
