import { keys, shownName, type Key } from './keys.ts'
import type { Kind } from './makers.ts'
import { sourceAt } from './raw.ts'
import type { Config } from './schema/index.ts'

/** One key of the configuration as it is in force. */
export interface ConfigEntry {
  /** `upstreams.huggingface.base_url`, `oidc.providers[0].issuer` */
  key: string
  /** As a person would write it; `undefined` for a secret. */
  value: string | undefined
  isSecret: boolean
  /** Whether a secret has a value. */
  isSet: boolean
  /** What set it; `undefined` where the default holds. */
  source: string | undefined
  default: string
  description: string
}

/** Every key with the value in force, in the order of the schema: one line for each upstream and each member of a list. */
export function configEntries(config: Config): ConfigEntry[] {
  return keys()
    .filter((key) => key.kind !== 'list of objects')
    .flatMap((key) => found(config, key.path).map(({ path, value }) => entryOf(config, key, path, value)))
}

function entryOf({ sources = {} }: Config, key: Key, path: string[], value: unknown): ConfigEntry {
  const isSecret = key.kind === 'secret'
  return {
    key: shownName(path),
    value: isSecret ? undefined : written(key.kind, value),
    isSecret,
    isSet: value !== '' && value !== undefined,
    // A list is set as a whole: then its source is that of each member.
    source: sourceAt(sources, path),
    default: key.shown,
    description: key.description,
  }
}

/** The places that a key stands for: `<id>` each upstream, `providers[]` each member of the list. */
function found(
  value: unknown,
  [name, ...rest]: string[],
  path: string[] = [],
): { path: string[]; value: unknown }[] {
  if (name === undefined) return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  const members = value as Record<string, unknown>
  if (name === '<id>')
    return Object.entries(members).flatMap(([id, member]) => found(member, rest, [...path, id]))
  if (!name.endsWith('[]')) return found(members[name], rest, [...path, name])
  const list = members[name.slice(0, -2)]
  if (!Array.isArray(list)) return []
  return list.flatMap((member, i) => found(member, rest, [...path, name.slice(0, -2), String(i)]))
}

const durationUnits: [string, number][] = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]
const sizeUnits: [string, number][] = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
]

function written(kind: Kind, value: unknown): string {
  if (kind === 'duration') return inUnits(Number(value), durationUnits)
  if (kind === 'size') return inUnits(Number(value), sizeUnits)
  if (Array.isArray(value)) return value.join(', ')
  if (kind === 'map of strings') return Object.values(value as Record<string, string>).join(', ')
  return String(value)
}

/** By the largest unit that leaves nothing over. */
function inUnits(amount: number, units: [string, number][]): string {
  const unit = units.find(([, size]) => amount >= size && amount % size === 0)
  return unit ? `${amount / unit[1]}${unit[0]}` : String(amount)
}
