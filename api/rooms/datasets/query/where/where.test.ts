import fc from 'fast-check'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { parseOrder, parseWhere } from './parse.ts'
import { translateWhere } from './translate.ts'

const value = (dtype: string) => ({ _type: 'Value', dtype }) as const
const features: NamedFeature[] = [
  { name: 'n', type: value('int64') },
  { name: 'x y', type: value('float64') },
  { name: 'te"xt', type: value('string') },
  { name: 'ok', type: value('bool') },
  { name: 'day', type: value('date32') },
  { name: 'at', type: value('timestamp[us]') },
  { name: 'price', type: value('decimal128(10, 2)') },
  { name: 'list', type: { _type: 'List', feature: value('int64') } },
  { name: 'deep', type: { in: { 'a.b': value('string') } } },
  { name: 'raw', type: value('binary') },
]

const table = `CREATE TABLE t AS SELECT range AS idx,
  CASE WHEN range % 7 = 0 THEN NULL ELSE range % 50 - 25 END::BIGINT AS n, (range % 13 - 6) / 4.0::DOUBLE AS "x y",
  CASE range % 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'it''s' WHEN 3 THEN 'A%b_c' ELSE 'word ' || range END AS "te""xt",
  CASE range % 3 WHEN 0 THEN NULL ELSE range % 3 = 1 END AS ok, DATE '2024-01-29' + (range % 40)::INT AS day,
  TIMESTAMP '2024-02-28 23:00:00' + to_hours(range % 60) AS at, ((range % 21 - 10) / 10.0)::DECIMAL(10, 2) AS price,
  CASE WHEN range % 4 = 0 THEN NULL ELSE range(range % 4) END AS list, {'in': {'a.b': 'v' || (range % 3)}} AS deep,
  'x'::BLOB AS raw FROM range(400)`

const sign = fc.constantFrom('=', '<>', '!=', '<', '<=', '>', '>=')
const spelled = (word: string) =>
  fc.constantFrom(word, word.toLowerCase(), word[0] + word.slice(1).toLowerCase())
const not = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: spelled('NOT') })
const integer = fc.integer({ min: -30, max: 30 }).map(String)
const number = fc.oneof(
  integer,
  fc.constantFrom('0.5', '-1.25', '1.005', '12345678901234567890', '.5', '1e1'),
)
const text = fc
  .constantFrom(
    '',
    "it's",
    'A%b_c',
    'word 9',
    '%',
    'v1',
    'A_b%',
    '*',
    'a[b]?',
    '; DROP TABLE t; --',
    '"',
    '\\',
  )
  .map((word) => `'${word.replaceAll("'", "''")}'`)
const date = fc.constantFrom("'2024-02-01'", "'2024-02-29'", "'1999-12-31'")
const day = fc.constantFrom("'2024-02-01'", "'2024-02-29'", "'2024-03-01 05:00:00'")
/** A term, and the values it is compared with. */
const terms: [string, fc.Arbitrary<string>][] = [
  ['n', number],
  ['"n"', number],
  ['"x y"', number],
  ['price', fc.oneof(integer, fc.constantFrom('0.5', '-0.1', '0.55'))],
  ['"te""xt"', text],
  ['"te""xt".lower()', text],
  ['"te""xt".length()', integer],
  ['list.len()', integer],
  ['day', date],
  ['"at"', day],
  ['"at".day()', integer],
  ['deep."in"."a.b"', text],
]
const predicate = fc.oneof(
  ...terms.map(([term, values]) => fc.tuple(sign, values).map(([a, b]) => `${term} ${a} ${b}`)),
  ...terms.map(([term, values]) =>
    fc
      .tuple(not, fc.array(values, { minLength: 1, maxLength: 4 }))
      .map(([n, all]) => `${term} ${n} IN (${all.join(', ')})`),
  ),
  ...terms.map(([term, values]) =>
    fc.tuple(not, values, values).map(([n, a, b]) => `${term} ${n} between ${a} and ${b}`),
  ),
  fc
    .tuple(fc.constantFrom('"te""xt"', 'deep."in"."a.b"'), not, fc.constantFrom('LIKE', 'ilike'), text)
    .map((all) => all.join(' ')),
  text.map((pattern) => `"te""xt" GLOB ${pattern}`),
  fc.tuple(fc.constantFrom('n', 'list', 'raw', 'deep', 'ok'), not).map(([term, n]) => `${term} is ${n} null`),
  fc.tuple(not, fc.constantFrom('TRUE', 'false')).map(([n, word]) => `ok IS ${n} ${word}`),
  fc.tuple(sign, fc.constantFrom('true', 'FALSE')).map(([a, b]) => `ok ${a} ${b}`),
)
const { where } = fc.letrec<{ where: string }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    predicate,
    fc.tuple(tie('where'), spelled('AND'), tie('where')).map((all) => all.join(' ')),
    fc.tuple(tie('where'), spelled('OR'), tie('where')).map((all) => all.join(' ')),
    tie('where').map((inner) => `(${inner})`),
    tie('where').map((inner) => `NOT (${inner})`),
  ),
}))

test('filters find what the engine finds by their very text', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(table)
  const aliases = features.map((_, i) => `c${i}`).join(', ')
  await connection.run(`CREATE VIEW v(idx, ${aliases}) AS SELECT * FROM t`)
  const idsOf = async (sql: string, values: string[] = []) =>
    (await connection.runAndReadAll(`SELECT idx FROM ${sql} ORDER BY idx`, values)).getColumnsJS()[0] ?? []
  let found = 0
  try {
    await fc.assert(
      fc.asyncProperty(where, async (filter) => {
        const { sql, values } = translateWhere(parseWhere(filter), features)
        const ours = await idsOf(`v WHERE ${sql}`, values)
        found += ours.length
        expect(ours).toEqual(await idsOf(`t WHERE ${filter}`))
      }),
      { numRuns: 400 },
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  expect(found).toBeGreaterThan(1000)
})

test('text of users is never in the query', () => {
  const evil = `"te""xt" = 'x'' OR 1=1; --' AND deep."in"."a.b" LIKE '$2 %'`
  expect(translateWhere(parseWhere(evil), features)).toEqual({
    sql: `((c2 = CAST($1 AS VARCHAR)) AND (struct_extract(struct_extract(c8, 'in'), 'a.b') LIKE CAST($2 AS VARCHAR)))`,
    named: ['c2', 'c8'],
    values: [`x' OR 1=1; --`, '$2 %'],
  })
})

test.each([
  ['n = 1; DROP TABLE t', 'Unexpected ";"'],
  ['n = 1 -- x', 'Unexpected "-"'],
  ['n = 1 /* x */', 'Unexpected "/"'],
  ['n = (SELECT 1)', 'a number, a text'],
  ['n = n', 'a number, a text'],
  ['1 = 1', 'the name of a column'],
  ['true', 'the name of a column'],
  ['', 'the name of a column'],
  ['n = 1 n = 2', 'Expected the end'],
  ['(n = 1', 'Expected ")"'],
  ["read_text('/etc/passwd') = 'x'", 'a comparison'],
  ['n.getenv() = 1', 'There is no function getenv'],
  ["n.len('x') = 1", 'Expected ")"'],
  ['nothing = 1', 'There is no column "nothing"'],
  ['deep.other = 1', '"deep" has no field "other"'],
  ['n.field = 1', '"n" has no field "field"'],
  ["n = 'x'", 'a number'],
  ['"te""xt" = 1', "text in '…'"],
  ['"te""xt".year() = 1', 'year() takes a date'],
  ["day = '2024-02-31'", 'a date such as'],
  ["day = 'now()'", 'a date such as'],
  ["raw = 'x'", 'IS NULL'],
  ['n = NULL', 'IS NULL'],
  ["n LIKE '%'", 'columns with text'],
  ['ok = 1', 'true or false'],
  ['list IS TRUE', 'boolean columns'],
  [`${'('.repeat(21)}n = 1${')'.repeat(21)}`, 'nested deeper than 20'],
  [`${'NOT '.repeat(21)}n = 1`, 'nested deeper than 20'],
  [Array.from({ length: 51 }, () => 'n = 1').join(' OR '), 'more than 50 conditions'],
  [`n IN (${Array.from({ length: 101 }, () => '1').join(',')})`, '100 values at most'],
  [`n = ${'1'.repeat(5000)}`, 'longer than 4096 bytes'],
  ['n = 1 and "te""xt" = \'open', 'Unexpected "\'"'],
])('%.60s is refused', (filter, reason) => {
  expect(() => translateWhere(parseWhere(filter), features)).toThrow(reason)
})

test('an order is a column and a direction', () => {
  expect(parseOrder('"x y" desc')).toMatchObject({ term: { path: ['x y'] }, isDescending: true })
  expect(parseOrder('n')).toMatchObject({ isDescending: false })
  for (const wrong of ['n, ok', 'n desc nulls first', '1', 'random()'])
    expect(() => parseOrder(wrong)).toThrow()
})
