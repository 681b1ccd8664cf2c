import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LONG_BYTES } from './json-shape.ts'
import { jsonValue, LARGE_VALUES } from './json-text.ts'

const read = (text: string) => jsonValue(Buffer.from(text), LARGE_VALUES)
const long = (unit: string) => unit.repeat(Math.ceil((3 * LONG_BYTES) / unit.length))

test.each([
  ['base64', 'QUJD'],
  ['escapes', '\\'],
  ['quotes', '"'],
  ['control characters', '\u0001'],
  ['two bytes', 'xé'],
  ['three bytes', 'xx✓'],
  ['four bytes', 'x😀'],
])('a long text of %s is read as JSON.parse does, wherever it is cut', async (_, unit) => {
  for (const before of ['', '1', '123']) {
    const value = { a: before + long(unit), [before + long(unit)]: [long(unit), 1] }
    expect(await read(JSON.stringify(value))).toEqual(value)
  }
})

test('escaped surrogate pairs stay whole, and halves are named', async () => {
  for (const before of ['', '1', '123']) {
    const text = `"${before}${long('\\ud83d\\ude00')}"`
    expect(await read(text)).toBe(JSON.parse(text))
    await expect(read(`{"a":[0,"${before}${long('\\ud83d')}"]}`)).rejects.toMatchObject({
      errors: [{ field: 'a.1' }],
    })
  }
  await expect(read(`["${long('x')}\\ud83d"]`)).rejects.toMatchObject({ errors: [{ field: '0' }] })
})

test('long lists and objects hold what they say', async () => {
  const blanks = ' \n\t\r'.repeat(LONG_BYTES / 2)
  const many = Array.from({ length: 8000 }, (_, n) => ({
    n,
    path: `data/${n}`,
    list: [null, true, -1e3, ''],
  }))
  for (const text of [
    JSON.stringify({ many, more: { many } }),
    JSON.stringify([[[[long('x')]]], [], {}, 'y']),
    `${blanks}[${blanks}1${blanks},${blanks}{"a"${blanks}:${blanks}2}${blanks}]${blanks}`,
    `[${blanks}]`,
    `{"__proto__":"${long('x')}","a":1,"a":2}`,
  ])
    expect(await read(text)).toEqual(JSON.parse(text))
  expect(Object.keys((await read(`{"__proto__":{"a":"${long('x')}"}}`)) as object)).toEqual(['__proto__'])
})

test('what JSON.parse refuses is refused within long JSON', async () => {
  const text = `"${long('x')}"`
  for (const bad of [
    `[${text},]`,
    `[,${text}]`,
    `[1,,${text}]`,
    `[${text} 1]`,
    `[${text}}`,
    `{"a":${text}]`,
    `{"a":${text},}`,
    `{"a"${text}}`,
    `{1:${text}}`,
    `{${text}}`,
    `{"a":1{,"b":${text}}`,
    `[${text}]]`,
    `[${text}`,
    `[${text},"x`,
    `${text.slice(0, -1)}\n"`,
    `${text.slice(0, -1)}\\x"`,
    `${text.slice(0, -1)}\\`,
    `[${text},1"2"]`,
    `[${text},tru]`,
    `]${text}`,
    `1${long('1')}x`,
  ]) {
    expect(() => void JSON.parse(bad)).toThrow()
    await expect(read(bad)).rejects.toMatchObject({ code: 'invalid-request' })
  }
})

test('others have their turn while long JSON is read', async () => {
  const text = JSON.stringify(Array.from({ length: 8 }, () => 'QUJD'.repeat(2 ** 20)))
  const seen = { turns: 0, isDone: false }
  const reading = read(text).finally(() => (seen.isDone = true))
  while (!seen.isDone) {
    seen.turns++
    await nextTurn()
  }
  expect(await reading).toEqual(JSON.parse(text))
  // One for each MiB that is looked through, and one for each 5 ms that are spent on parsing.
  expect(seen.turns).toBeGreaterThan(32)
})
