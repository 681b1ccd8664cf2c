import { expect, test } from 'vitest'
import { LONG_BYTES } from './json-shape.ts'
import { jsonValue, LARGE_VALUES, USUAL_VALUES } from './json-text.ts'

const read = (text: string, maxValues = USUAL_VALUES) => jsonValue(Buffer.from(text), maxValues)

test.each(['{"a":[1,"x\\"]}",{"b":null}]}', '"\\\\"', '[]', '"\\ud83d\\ude00"', '"é✓"'])(
  '%s is read as JSON.parse does',
  async (text) => {
    expect(await read(text)).toEqual(JSON.parse(text))
  },
)

test('blanks say nothing', async () => {
  for (const text of ['', ' \n', ' '.repeat(LONG_BYTES + 1)]) expect(await read(text)).toBeUndefined()
})

test('a byte order mark is left out, as fetch does', async () => {
  expect(await read('\ufeff{}')).toEqual({})
})

test('nesting above 64 levels is refused, in texts it does not count', async () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(await read(nested(64))).toEqual(JSON.parse(nested(64)))
  await expect(read(nested(65))).rejects.toMatchObject({ code: 'invalid-request' })
  expect(await read(JSON.stringify(nested(1000)))).toBe(nested(1000))
})

test('values and names are counted, in texts they are not', async () => {
  const list = (n: number) => `[${'1,'.repeat(n - 1)}1]`
  expect(await read(list(USUAL_VALUES))).toHaveLength(USUAL_VALUES)
  await expect(read(list(USUAL_VALUES + 1))).rejects.toMatchObject({ code: 'body-too-large' })
  expect(await read(list(USUAL_VALUES + 1), LARGE_VALUES)).toHaveLength(USUAL_VALUES + 1)
  expect(await read(`"${','.repeat(2 * USUAL_VALUES)}"`)).toBeTypeOf('string')
})

test('a text that spans the turns of the event loop is looked through whole', async () => {
  const long = 'x'.repeat(3 * 2 ** 20)
  await expect(read(`{"a":"${long}","b":"\\ud83d"}`)).rejects.toMatchObject({
    code: 'validation-failed',
    errors: [{ field: 'b' }],
  })
  await expect(read(`{"a":"${long}","b":${'['.repeat(65)}`)).rejects.toMatchObject({
    code: 'invalid-request',
  })
})

test.each([
  ['{"a":{"b":["x","\\uDC00"]}}', 'a.b.1'],
  ['{"a":{"\\ud800":1}}', 'a'],
  ['"\\ud800"', 'body'],
])('half a surrogate pair in %s is named', async (text, field) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'validation-failed', errors: [{ field }] })
})
