import { z } from 'zod'
import type { Kind } from './makers.ts'
import { Config } from './schema/index.ts'

/** One key of the configuration, as the schema declares it. */
export interface Key {
  /** `server.listen`, `upstreams.<id>.token`, `oidc.providers[].issuer` */
  name: string
  path: string[]
  /** Its environment variable; members of a list of objects have none. */
  env: string | undefined
  kind: Kind
  /** The default, as a person would write it. */
  shown: string
  description: string
  oneOf: string[] | undefined
}

/** Every key in the order of the schema: the one source of environment names, the reference table and redaction. */
export function keys(schema: z.ZodType = Config, path: string[] = []): Key[] {
  const inner = unwrap(schema)
  const own = leaf(schema, path)
  if (own?.kind === 'list of objects' && inner instanceof z.ZodArray) {
    return [own, ...keys(inner.element as z.ZodType, [...path.slice(0, -1), `${path.at(-1)}[]`])]
  }
  if (own) return [own]
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([name, member]) => keys(member as z.ZodType, [...path, name]))
  }
  if (inner instanceof z.ZodRecord) return keys(inner.valueType as z.ZodType, [...path, '<id>'])
  throw new TypeError(`${path.join('.')} was not made by a maker`)
}

/** `oidc.providers.0.id` → `oidc.providers[0].id` */
export const shownName = (path: string[]): string => path.join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]')

/** Matches the names a key stands for (`upstreams.<id>.token` → `upstreams.mirror.token`), its id in group 1. */
export function namePattern(name: string): RegExp {
  return new RegExp(`^${name.replace(/[.[\]]/g, '\\$&').replace('<id>', '([a-z0-9_-]+)')}$`)
}

function leaf(schema: z.ZodType, path: string[]): Key | undefined {
  const meta = schema.meta()
  if (meta?.['kind'] === undefined) return undefined
  const name = path.join('.')
  const inList = name.includes('[]')
  return {
    name,
    path,
    env: inList ? undefined : `SERVICE_${path.join('_').toUpperCase()}`,
    kind: meta['kind'] as Kind,
    shown: String(meta['shown'] ?? 'required'),
    description: meta.description ?? '',
    oneOf: meta['oneOf'] as string[] | undefined,
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrap(schema.def.innerType as z.ZodType)
  return schema
}
