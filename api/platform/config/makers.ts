import { z } from 'zod'

/** A duration in milliseconds, as every duration of the parsed configuration. */
export type Ms = number
/** A size in bytes, as every size of the parsed configuration. */
export type Bytes = number

/** What a leaf of the schema is; printed in the reference table and used to read text from the environment. */
export type Kind =
  | 'string'
  | 'int'
  | 'bool'
  | 'size'
  | 'duration'
  | 'list of strings'
  | 'secret'
  | 'map of strings'
  | 'list of objects'

const sizeUnits: Record<string, number> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, GB: 1e9 }
const durationUnits: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

interface Range {
  min?: number
  max?: number
}

/** Text; with `oneOf`, one of the listed words. An empty default means "not set"; no default means required. */
export function text(dflt?: string): z.ZodType<string, string | undefined>
export function text<const T extends string>(dflt: T, oneOf: readonly T[]): z.ZodType<T, string | undefined>
export function text(dflt?: string, oneOf?: readonly string[]): z.ZodType {
  const word = z.string({
    error: (issue) => (issue.input === undefined ? 'required' : 'not text (put it in quotes)'),
  })
  const leaf = oneOf
    ? word.refine((v) => oneOf.includes(v), {
        error: (i) => `${shown(i.input)} is not one of ${oneOf.join(', ')}`,
      })
    : word
  return optional(leaf, dflt).meta({
    kind: 'string',
    shown: dflt === undefined ? 'required' : dflt || 'empty',
    oneOf,
  })
}

/** Text that never reaches a log: the logger replaces its value wherever it appears. */
export function secret(dflt?: string): z.ZodType<string, string | undefined> {
  return text(dflt).meta({ kind: 'secret' })
}

export function int(
  dflt: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {},
): z.ZodType<number, number | string | undefined> {
  return scalar((v, fault) => {
    if (!/^-?\d+$/.test(v)) return fault('is not a whole number')
    return within(Number(v), min, max) ? Number(v) : fault(`must lie between ${min} and ${max}`)
  })
    .prefault(dflt)
    .meta({ kind: 'int', shown: String(dflt) })
}

export function bool(dflt: boolean): z.ZodType<boolean, boolean | string | undefined> {
  return z
    .union([z.boolean(), z.enum(['true', 'false']).transform((v) => v === 'true')], {
      error: (issue) => `${shown(issue.input)} is neither true nor false`,
    })
    .default(dflt)
    .meta({ kind: 'bool', shown: String(dflt) })
}

/** A size in bytes, written as a byte count or with KiB, MiB, GiB (powers of 1024) or GB (10⁹). */
export function size(
  dflt: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {},
): z.ZodType<Bytes, number | string | undefined> {
  return scalar((v, fault) => {
    const parts = /^(\d+)\s*(KiB|MiB|GiB|GB)?$/.exec(v)
    if (!parts) return fault('is not a size (use a byte count or KiB, MiB, GiB, GB)')
    const bytes = Number(parts[1]) * (sizeUnits[parts[2] ?? ''] ?? 1)
    return within(bytes, min, max) ? bytes : fault(`must lie between ${min} and ${max} bytes`)
  })
    .prefault(dflt)
    .meta({ kind: 'size', shown: dflt })
}

/** A duration in milliseconds, written as numbers with ms, s, m, h or d (`90s`, `1h30m`); a bare 0 is allowed. */
export function duration(
  dflt: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {},
): z.ZodType<Ms, number | string | undefined> {
  return scalar((v, fault) => {
    if (v !== '0' && !/^(\d+(ms|s|m|h|d))+$/.test(v))
      return fault('is not a duration (use s, m, h, such as 90s, 30m or 720h)')
    let ms = 0
    for (const [, n, unit] of v.matchAll(/(\d+)(ms|s|m|h|d)/g))
      ms += Number(n) * (durationUnits[unit ?? ''] ?? 0)
    return within(ms, min, max) ? ms : fault(`must lie between ${min / 1000} s and ${max / 1000} s`)
  })
    .prefault(dflt)
    .meta({ kind: 'duration', shown: dflt })
}

/** Strings, written as a YAML list or separated by commas. */
export function list(dflt: string[] = []): z.ZodType<string[], string | string[] | undefined> {
  return z
    .union([z.array(z.string()), z.string()], { error: () => 'is not a list of strings' })
    .transform((v) => (typeof v === 'string' ? v.split(',') : v).map((s) => s.trim()).filter((s) => s !== ''))
    .prefault(dflt)
    .meta({ kind: 'list of strings', shown: dflt.length > 0 ? `[${dflt.join(', ')}]` : 'empty' })
}

/** What is wrong with each element of a list, as a check of the whole list. */
export function each(says: (element: string) => string | undefined) {
  return (list: string[], c: z.core.$RefinementCtx) => {
    for (const element of list) {
      const wrong = says(element)
      if (wrong) c.addIssue(`${shown(element)} ${wrong}`)
    }
  }
}

function optional<T extends z.ZodType<string, string>>(
  leaf: T,
  dflt: string | undefined,
): z.ZodType<string, string | undefined> {
  return dflt === undefined ? leaf : leaf.default(dflt as z.util.NoUndefined<z.output<T>>)
}

function scalar(parse: (v: string, fault: (text: string) => never) => number) {
  return z
    .union([z.number(), z.string()], { error: (issue) => `${shown(issue.input)} is not a number or text` })
    .transform((v, c) =>
      parse(String(v), (text) => {
        c.addIssue(`${shown(v)} ${text}`)
        return z.NEVER
      }),
    )
}

function within(n: number, min: number, max: number): boolean {
  return n >= min && n <= max
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? 'nothing'
}
