import { expect, test } from 'vitest'
import { fromChunks } from '../../../stores/storage/index.ts'
import { jsonLines } from './ndjson.ts'

async function read(text: string, pieceBytes: number, firstBytes = 50): Promise<unknown[]> {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
    bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  )
  const values = []
  for await (const value of jsonLines(fromChunks(...pieces), { firstBytes, bytes: 100 })) values.push(value)
  return values
}

test.each([1, 3, 7, 1000])(
  'reads lines cut anywhere, %d bytes at a time, the last without its newline',
  async (n) => {
    expect(await read('{"a":1}\n\n{"b":"ü✓"}\r\n[3]', n)).toEqual([{ a: 1 }, { b: 'ü✓' }, [3]])
  },
)

test('names the line that is not JSON', async () => {
  await expect(read('{}\nnope\n', 4)).rejects.toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining('Line 2'),
  })
})

test('refuses a line longer than the bound without holding it', async () => {
  await expect(read(`{}\n"${'x'.repeat(200)}`, 16)).rejects.toMatchObject({ code: 'file-too-large' })
})

test('refuses a first line above its own bound', async () => {
  await expect(read(`"${'x'.repeat(60)}"\n`, 16)).rejects.toMatchObject({ code: 'body-too-large' })
  expect(await read(`1\n"${'x'.repeat(60)}"\n`, 16)).toEqual([1, 'x'.repeat(60)])
})

test('refuses a line that is nested deep or holds many values, though it is short enough', async () => {
  const deep = '['.repeat(1000)
  const values: unknown[] = []
  const lines = jsonLines(fromChunks(Buffer.from(`1\n${deep}\n`)), { firstBytes: 50, bytes: 2000 })
  const reading = async () => {
    for await (const value of lines) values.push(value)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'invalid-request' })
  expect(values).toEqual([1])
})
