import { fits, type JsonSchema } from './json-schema.ts'

/** A name that would shadow a commit's own. */
export const fortyHex = 'deadbeef'.repeat(5)

const words = (text: string): string[] => text.split(' ')

/** Tried everywhere. */
const worstTexts = [
  '',
  ' ',
  fortyHex,
  'a\r\nX-Injected: 1',
  'a'.repeat(97),
  'a'.repeat(20_000),
  ...words('.. ../../etc/passwd .git refs/heads/main settings __proto__ a\0b \u202Egnp.exe \uD800 %2e%2e%2f'),
]

/** Tried here and there: each field meets some of them. */
const otherTexts = [
  ...words(
    '. ... /etc/passwd a/../b \\..\\x a//b / .GIT/config git~1 x.git x.ipynb a--b -x @ @{-1} HEAD x.lock',
  ),
  ...words(
    'resolve api admin constructor a\nb \uFEFFx g\u200Cit 🤗 İ ſ x\u0301 %2F %00 %zz ${x} <script> null 0 -1 1.5',
  ),
  '.git ',
  "'; DROP TABLE repos; --",
  'é'.repeat(200),
  'a/'.repeat(100) + 'a',
]
const spread = 5

/** Texts that have broken something somewhere: the worst, and every fifth of the others, beginning at `turn`. */
const textsOf = (turn: number) => [
  ...worstTexts,
  ...otherTexts.filter((_, i) => i % spread === turn % spread),
]

const wrongTypes: unknown[] = [null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], [[]], {}, { a: 1 }, ['x']]

type Members = Record<string, unknown>

function* objectFaults(schema: JsonSchema, value: Members, turn: number): Generator<unknown> {
  const { properties = {}, required = [] } = schema
  yield { ...value, unexpected: 1 }
  yield { ...value, id: 'x', created_by: 'x', is_admin: true }
  for (const name of required) {
    yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
  for (const [i, [name, member]] of Object.entries(properties).entries())
    for (const bad of hostileValues(member, value[name], turn + i + 1)) yield { ...value, [name]: bad }
}

function* arrayFaults(items: JsonSchema, value: unknown[], most = 1000): Generator<unknown> {
  yield Array.from({ length: most + 1 }, () => value[0])
  for (const [i, item] of value.entries())
    for (const bad of hostileValues(items, item, i)) yield value.with(i, bad)
}

/** Values to send where `given`, which the schema describes, would do: most of them fit the schema no more. */
export function* hostileValues(schema: JsonSchema, given: unknown, turn = 0): Generator<unknown> {
  yield* wrongTypes
  yield* textsOf(turn)
  const variants = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  for (const variant of variants) {
    if (variant !== schema && !fits(variant, given)) continue
    if (variant.type === 'object') yield* objectFaults(variant, (given ?? {}) as Members, turn)
    if (variant.items && Array.isArray(given)) yield* arrayFaults(variant.items, given, variant.maxItems)
    if (variant.maxLength !== undefined) yield 'x'.repeat(variant.maxLength + 1)
    for (const bound of [variant.minimum, variant.maximum])
      if (bound !== undefined) yield* [bound - 1, bound + 1]
  }
}

// As they stand in an address: what `encodeURIComponent` cannot write.
const hostileEscapes = ['%', '%zz', '%ff', '%c0%ae%c0%ae', '%ED%A0%80', '%2e%2e%2f', '%252e%252e', '%00']

/** What to write in an address in the place of a parameter, percent-encoded as it is to be sent. */
export function hostileSegments(turn: number): string[] {
  // Two dots are taken for the folder above before they are sent, and a lone surrogate cannot be.
  const sendable = textsOf(turn).filter((text) => text.length < 500 && !/^\.{1,2}$|\uD800/.test(text))
  return [...hostileEscapes, ...sendable.map(encodeURIComponent), 'a'.repeat(5000)]
}

/**
 * Whether the `i`-th of many hostile requests is worth its time on this engine. Postgres, which takes longer, differs in
 * the text it can hold: of the rest a part is tried there.
 */
export function isTried(engine: 'sqlite' | 'postgres', i: number, request: unknown): boolean {
  return engine === 'sqlite' || i % 20 === 0 || /%00|\\u0000|ud800/.test(JSON.stringify(request))
}
