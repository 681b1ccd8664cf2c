import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { parseExact, stringifyExact } from './exact-json.ts'

/** What `JSON.parse` makes of it: doubles such as 1e20 are written as integers too. */
const rounded = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
}

describe('JSON with all digits', () => {
  test('integers beyond 2^53 keep all their digits, at any depth', () => {
    expect(parseExact('{"id": 9007199254740993, "in": [-18446744073709551615, 7]}')).toEqual({
      id: 9007199254740993n,
      in: [-18446744073709551615n, 7],
    })
  })

  test('integers up to 2^53 - 1, fractions and exponents stay numbers', () => {
    expect(parseExact('[9007199254740991, 0.12345678901234567890, 10000000000000000000e3, -0]')).toEqual([
      9007199254740991, 0.12345678901234568, 1e22, -0,
    ])
  })

  test('digits within strings are text', () => {
    expect(parseExact(String.raw`["12345678901234567890", "\"9007199254740993\\"]`)).toEqual([
      '12345678901234567890',
      String.raw`"9007199254740993\ `.trim(),
    ])
  })

  test('a member called __proto__ is a member', () => {
    const value = parseExact('{"__proto__": 9007199254740993}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test.each([
    '[9007199254740993',
    '{"a" 9007199254740993}',
    '[9007199254740993,]',
    '9007199254740993 1',
    '{9007199254740993: 1}',
    '[09007199254740993]',
    '"\u0001 9007199254740993"',
  ])('%s is no JSON', (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError)
  })

  test('values nested too deeply are refused, not overflowed', () => {
    const text = `${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}`
    expect(() => parseExact(text)).toThrow('nested deeper')
  })

  test('a string of megabytes is read', () => {
    const long = 'a\\"'.repeat(2_000_000)
    expect(parseExact(JSON.stringify([long, 'x']).replace('"x"', '9007199254740993'))).toEqual([
      long,
      9007199254740993n,
    ])
  })

  test('every JSON value is read as JSON.parse reads it, and written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value))
        expect(stringifyExact(parsed, indent)).toBe(JSON.stringify(parsed, null, indent))
        // The long integer sends the text through the exact reader.
        const text = JSON.stringify([parsed, 'x'], null, indent).replace(/"x"\s*\]$/, '9007199254740993]')
        expect(rounded(parseExact(text))).toEqual([parsed, Number(9007199254740993n)])
      }),
    )
  })

  test('long integers are written as integers', () => {
    expect(stringifyExact({ id: 9007199254740993n, none: undefined })).toBe(
      '{"id":9007199254740993,"none":null}',
    )
  })
})
