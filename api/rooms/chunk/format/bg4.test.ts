import { expect, test } from 'vitest'
import { ungroup } from './bg4.ts'
import { group, Random } from './testing.ts'

test('bytes grouped by four are put back in order, whatever their number', () => {
  const random = new Random(6)
  for (const n of [...Array.from({ length: 140 }, (_, i) => i), 65_537, 131_070, 131_071, 131_072]) {
    const plain = random.bytes(n)
    const around = Buffer.alloc(n + 7, 0xaa)
    ungroup(group(plain), around.subarray(3, 3 + n))
    expect(
      around.equals(Buffer.concat([Buffer.alloc(3, 0xaa), plain, Buffer.alloc(4, 0xaa)])),
      `${n} bytes`,
    ).toBe(true)
  }
})
