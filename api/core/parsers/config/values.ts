/** JSON that a person wrote, looked at without trust in its types. */
export type Json = Record<string, unknown>

export const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const mapAt = (map: Json, key: string): Json | undefined => {
  const value = at(map, key)
  return isMap(value) ? value : undefined
}

/** A text that is not empty and has at most `max` UTF-16 code units. */
export const textAt = (map: Json, key: string, max = 512): string | undefined => {
  const value = at(map, key)
  return typeof value === 'string' && value !== '' && value.length <= max ? value : undefined
}

/** A positive number that doubles hold exactly. */
export const countAt = (map: Json, key: string): number | undefined => {
  const value = at(map, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** The short strings of a list, or of a scalar that stands for one. */
export const textsAt = (map: Json, key: string, most = 1000): string[] => {
  const value = at(map, key)
  const list = Array.isArray(value) ? value : [value]
  return list
    .filter((item) => typeof item === 'string' && item !== '' && item.length <= 512)
    .slice(0, most) as string[]
}

/** Own keys alone: a file may ask for `constructor`. */
export const at = (map: Json, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined)
