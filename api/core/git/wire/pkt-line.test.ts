import { expect, test } from 'vitest'
import { banded, FLUSH, lineOf, PacketReader, pkt } from './pkt-line.ts'
import { bytesOf, sourceOf } from '../testing.ts'

test('packets come out as they went in, however the stream is cut', async () => {
  const bytes = Buffer.concat([
    pkt('one\n'),
    FLUSH,
    Buffer.from('0001'),
    pkt(''),
    pkt('two'),
    Buffer.from('PACK…'),
  ])
  for (const chunkBytes of [1, 3, 1000]) {
    const reader = new PacketReader(sourceOf(bytes, chunkBytes))
    expect(lineOf((await reader.next()) as Buffer)).toBe('one')
    expect(await reader.next()).toBe('flush')
    expect(await reader.next()).toBe('delimiter')
    expect(((await reader.next()) as Buffer).length).toBe(0)
    expect(lineOf((await reader.next()) as Buffer)).toBe('two')
    expect((await bytesOf(reader.rest())).toString()).toBe('PACK…')
  }
})

test('an end between packets is an end, within one it is a bad request', async () => {
  const reader = new PacketReader(sourceOf(pkt('x')))
  await reader.next()
  expect(await reader.next()).toBe('end')
  for (const cut of ['00', '0009ab', 'zzzz', '0003', 'fff1'])
    await expect(new PacketReader(sourceOf(Buffer.from(cut))).next()).rejects.toMatchObject({
      code: 'invalid-request',
    })
})

test('bytes on a band are cut into packets that git takes', () => {
  const packets = banded(1, Buffer.alloc(150_000, 'x'))
  expect(packets.length).toBe(150_000 + 3 * 5)
  expect(packets.toString('latin1', 0, 5)).toBe('fff0\x01')
})
