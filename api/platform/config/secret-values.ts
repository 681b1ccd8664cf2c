import { keys } from './keys.ts'
import type { Config } from './schema/index.ts'

/** Every secret the configuration holds, for the logger to hide: `secret` keys and the password inside `database.dsn`. */
export function secretValues(config: Config): string[] {
  const secrets = keys()
    .filter((key) => key.kind === 'secret')
    .flatMap((key) => valuesAt(config, key.path))
  return [...secrets, ...dsnPassword(config.database.dsn)].filter((value) => value !== '')
}

function valuesAt(value: unknown, [name, ...rest]: string[]): string[] {
  if (name === undefined) return typeof value === 'string' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  const members = value as Record<string, unknown>
  if (name === '<id>') return Object.values(members).flatMap((member) => valuesAt(member, rest))
  if (!name.endsWith('[]')) return valuesAt(members[name], rest)
  const list = members[name.slice(0, -2)]
  return Array.isArray(list) ? list.flatMap((element) => valuesAt(element, rest)) : []
}

function dsnPassword(dsn: string): string[] {
  if (!URL.canParse(dsn)) return []
  const { password } = new URL(dsn)
  return /%(?![0-9a-fA-F]{2})/.test(password) ? [password] : [password, decodeURIComponent(password)]
}
