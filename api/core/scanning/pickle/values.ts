/** What a pickle would have on its stack, as far as the scan needs to know it. Nothing is ever made or called. */
export type Value =
  | { kind: 'text'; text: string | undefined; at: number; length: number }
  | { kind: 'bytes'; at: number; length: number; isText: boolean }
  | { kind: 'number'; value: number | bigint }
  | { kind: 'tuple' | 'list'; items: Value[]; weight: number }
  | { kind: 'map'; entries: Map<string, Value>; weight: number }
  | { kind: 'global'; module: string; name: string }
  | { kind: 'call'; of: Value; args: Value[]; state?: Value }
  | { kind: 'plain' }
  | { kind: 'unknown' }

export const plain: Value = { kind: 'plain' }
export const unknown: Value = { kind: 'unknown' }

/** How many values one stands for when everything it shares is written out. */
export const weightOf = (value: Value | undefined): number => (value && 'weight' in value ? value.weight : 1)

export const isGlobal = (value: Value | undefined, module: string, name: string): boolean =>
  value?.kind === 'global' && value.module === module && value.name === name

/** The name of what a value is made of: of a class, of the result of calling one, of a text. */
export function nameOf(value: Value | undefined): string {
  if (value?.kind === 'global') return `${value.module}.${value.name}`
  if (value?.kind === 'call') return nameOf(value.of)
  return value?.kind ?? 'nothing'
}
