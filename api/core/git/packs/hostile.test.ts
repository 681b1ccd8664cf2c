import { readdir, readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { applyDelta } from './delta.ts'
import { CorruptObject, ObjectTooLarge } from '../errors.ts'
import { parseCommit, parseTag } from '../objects/objects.ts'
import { Pack } from './pack.ts'
import { PackIndex } from './pack-index.ts'
import { bytesOf, git, withTempDir } from '../testing.ts'
import { Tree } from '../objects/tree.ts'

const MAX_BYTES = 2 ** 22

/** Runs `read` and lets only the errors pass that mean damage. */
/** Answers whether it was refused, which is the only failure there may be. */
async function readHostile(read: () => unknown): Promise<boolean> {
  try {
    await read()
    return false
  } catch (error) {
    if (!(error instanceof CorruptObject || error instanceof ObjectTooLarge)) throw error
    return true
  }
}

async function givenPack(dir: string): Promise<{ bytes: Buffer; index: PackIndex }> {
  await git(dir, ['init', '-q', '-b', 'main', '.'])
  const text = Array.from({ length: 300 }, () => randomBytes(12).toString('hex'))
  let stream = ''
  for (let i = 0; i < 8; i++) {
    text[i] = `line ${i}`
    const content = text.join('\n')
    stream += `commit refs/heads/main\ncommitter A <a@example.org> ${i} +0000\ndata 1\nm\n`
    stream += `M 100644 inline f\ndata ${content.length}\n${content}\nM 100644 inline g${i}\ndata 400000\n${'z'.repeat(400_000)}\n`
  }
  await git(dir, ['fast-import', '--quiet'], stream)
  await git(dir, ['repack', '-adfq'])
  const packs = join(dir, '.git/objects/pack')
  const file = (await readdir(packs)).find((each) => each.endsWith('.pack'))
  const base = join(packs, file?.slice(0, -5) ?? '')
  return { bytes: await readFile(`${base}.pack`), index: PackIndex.parse(await readFile(`${base}.idx`)) }
}

test('a pack damaged anywhere is read or refused as damaged, and takes nothing else down', async () => {
  await withTempDir(async (dir) => {
    const { bytes, index } = await givenPack(dir)
    const path = join(dir, 'damaged.pack')
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(damage, async (flips) => {
        const damaged = Buffer.from(bytes)
        for (const [at, mask] of flips) damaged[at] = (damaged[at] ?? 0) ^ mask
        await writeFile(path, damaged)
        const pack = new Pack('p', path, index, new LRUCache({ max: 100 }), MAX_BYTES)
        for (let i = 0; i < index.length; i++) {
          const offset = index.offsetAt(i)
          await readHostile(() => pack.stat(offset))
          await readHostile(() => pack.read(offset))
          await readHostile(async () => bytesOf(await pack.stream(offset)))
        }
        pack.close()
      }),
      { numRuns: 40 },
    )
  })
})

test('entry headers and bases that point nowhere are refused', async () => {
  await withTempDir(async (dir) => {
    const { index } = await givenPack(dir)
    const path = join(dir, 'noise.pack')
    let refused = 0
    for (let round = 0; round < 20; round++) {
      await writeFile(path, randomBytes(5000))
      const pack = new Pack('p', path, index, new LRUCache({ max: 10 }), MAX_BYTES)
      for (let offset = -1; offset < 5100; offset += 37) {
        const isRefused = [
          await readHostile(() => pack.stat(offset)),
          await readHostile(() => pack.read(offset)),
        ]
        if (offset < 0 || offset >= 5000) expect(isRefused, `at ${offset}`).toEqual([true, true])
        refused += isRefused.filter(Boolean).length
      }
      pack.close()
    }
    // Noise may begin like an object; hardly any of it continues as one.
    expect(refused).toBeGreaterThan(2000)
  })
})

test('noise is no object', async () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((all) => Buffer.from(all))
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (one, other) => {
      await readHostile(() => [...Tree.parse(one).entries()])
      await readHostile(() => parseCommit(one))
      await readHostile(() => parseTag(one))
      await readHostile(() => PackIndex.parse(one))
      await readHostile(() => applyDelta(one, other, MAX_BYTES))
    }),
    { numRuns: 500 },
  )
})

test('a delta cannot claim more than is allowed, nor reach outside its base', () => {
  const base = Buffer.alloc(10, 'a')
  const huge = Buffer.from([10, 0xff, 0xff, 0xff, 0xff, 0x7f])
  expect(() => applyDelta(base, huge, MAX_BYTES)).toThrow(ObjectTooLarge)
  for (const delta of [
    [10, 5, 0x91, 8, 5],
    [10, 5, 0x90, 4],
    [10, 5, 5, 1, 2],
    [9, 5],
    [10, 5, 0],
  ]) {
    expect(() => applyDelta(base, Buffer.from(delta), MAX_BYTES)).toThrow(CorruptObject)
  }
})
