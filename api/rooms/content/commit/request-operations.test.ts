import { expect, test } from 'vitest'
import { collect } from '../../../stores/storage/index.ts'
import { operationsOf } from './request-operations.ts'

const MIB = 2 ** 20

async function added(content: string): Promise<Buffer> {
  const [operation] = operationsOf([{ op: 'add', path: 'a', content }])
  if (operation?.op !== 'add') throw new Error('no content')
  const { content: bytes } = operation
  return bytes instanceof Uint8Array ? Buffer.from(bytes) : collect(bytes.source, bytes.sizeBytes)
}

test.each([0, 1, 2, 3, MIB - 1, MIB, MIB + 1, MIB + 2, 3 * MIB + 1])(
  '%i bytes in base64 are decoded',
  async (sizeBytes) => {
    const bytes = Buffer.alloc(sizeBytes, 'arsenal')
    const read = await added(bytes.toString('base64'))
    expect(read.equals(bytes)).toBe(true)
  },
)

test.each([
  ['no padding', 'QQ'],
  ['another sign', 'QU!D'],
  ['padding in the middle', 'QQ==QUJD'],
  ['a long content without padding', `${'QUJD'.repeat(MIB)}QQ`],
  ['another sign in a long content', `${'QUJD'.repeat(MIB)}QU!D`],
  ['padding where a piece of a long content ends', `${'QUJD'.repeat(MIB / 4 - 1)}QQ==QUJD`],
])('%s is refused', async (_, content) => {
  await expect(added(content)).rejects.toMatchObject({
    code: 'validation-failed',
    errors: [{ field: 'operations.0.content', code: 'not-base64' }],
  })
})
