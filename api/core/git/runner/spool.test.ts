import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { endingWith, spool } from './spool.ts'
import { bytesOf, sourceOf, withTempDir } from '../testing.ts'

test('small and large bodies are read again and again, and nothing is left of them', async () => {
  await withTempDir(async (dir) => {
    for (const sizeBytes of [0, 10, 3_000_000]) {
      const body = Buffer.alloc(sizeBytes, 'x')
      const spooled = await spool(sourceOf(body), dir, 10_000_000)
      if (spooled === 'too-large') return expect.fail('it is not too large')
      for (let i = 0; i < 2; i++) expect((await bytesOf(spooled.open())).equals(body)).toBe(true)
      expect(spooled.sizeBytes).toBe(sizeBytes)
      await spooled.dispose()
    }
    expect(await readdir(dir)).toEqual([])
  })
})

test('what is too large, or breaks off, leaves nothing', async () => {
  await withTempDir(async (dir) => {
    expect(await spool(sourceOf(Buffer.alloc(3_000_000)), dir, 2_000_000)).toBe('too-large')
    const broken = async function* () {
      yield Buffer.alloc(2_000_000)
      throw new Error('gone')
    }
    await expect(spool(broken(), dir, 5_000_000)).rejects.toThrow('gone')
    expect(await readdir(dir)).toEqual([])
  })
})

test('the end of a source is reported once: read, aborted, or never begun', async () => {
  for (const use of ['read', 'give up', 'leave']) {
    let ends = 0
    const source = endingWith(sourceOf(Buffer.alloc(10), 1), async () => {
      ends++
    })
    if (use === 'read') await bytesOf(source)
    if (use === 'give up') for await (const chunk of source) if (chunk.length > 0) break
    if (use === 'leave') await source[Symbol.asyncIterator]().return?.()
    expect(ends).toBe(1)
  }
})
