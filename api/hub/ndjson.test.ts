import { expect, test } from 'vitest'
import { fromChunks } from '../storage/index.ts'
import { jsonLines } from './ndjson.ts'

async function read(text: string, pieceBytes: number, maxLineBytes = 100): Promise<unknown[]> {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
    bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  )
  const values = []
  for await (const value of jsonLines(fromChunks(...pieces), maxLineBytes)) values.push(value)
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
