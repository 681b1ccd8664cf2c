/** The strings of a value that may be one scalar or a list of them. */
export function words(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list
    .filter((member) => typeof member === 'string' || typeof member === 'number')
    .map((member) => String(member).trim())
    .filter((member) => member !== '')
}

/** `language: no` is Norwegian, also where a YAML 1.1 tool has made a boolean of it. */
export function languages(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return words(list.map((member: unknown) => (member === false ? 'no' : member)))
}

/** Each value once, in order. */
export const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)]

/** The fields that are not undefined. */
export function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
