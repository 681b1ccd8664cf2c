import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { codeOf, objectRow } from '../../core/lfs/testing.ts'
import { FsBlobStore } from '../../stores/storage/index.ts'
import { eachDatabase } from '../../testing.ts'
import { reserveObjects } from './rebuild-file.ts'
import { fileHashOf, HashTree, RangeHash } from './format/index.ts'
import { givenShard, givenXorb, Random, type GivenFile, type GivenXorb } from './format/testing.ts'
import { ending, freshXorb, givenSender, wholeFile, work, type Sender } from './testing/sender.ts'

const MIB = 1024 * 1024
/** Well above what is measured, 10 to 40 MiB, for the process has other garbage too. */
const MOST_GROWN_BYTES = 150 * MIB

/** How much larger this process becomes while work goes on, in bytes of resident memory. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Math.max(most, process.memoryUsage.rss()) - before
}

/** A file of one chunk again and again, so that no buffer has to hold it. */
function repeated(xorb: GivenXorb, times: number, sha256: Buffer): GivenFile {
  const { hash, hashes, unpacked } = xorb.index
  const [tree, range] = [new HashTree(), new RangeHash()]
  for (let i = 0; i < times; i++) tree.add(hashes, unpacked)
  range.add(hashes)
  const term = { xorb: hash, unpacked, start: 0, end: 1, rangeHash: range.digest() }
  return { hash: fileHashOf(tree.root()), terms: Array.from({ length: times }, () => term), sha256 }
}

eachDatabase('memory stays bounded', (world) => {
  let sender: Sender
  let ctx: Ctx
  beforeAll(async () => {
    sender = await givenSender(world)
    const blobs = await FsBlobStore.open({ path: join(world.dir, 'blobs') })
    ctx = { ...sender.ctx(), blobs }
  })
  afterAll(() => ctx.blobs.close())
  const random = new Random(6)

  describe('however large', () => {
    test('a xorb of 64 MiB is, on its way in and out', async () => {
      const xorb = givenXorb(Array.from({ length: 511 }, () => ({ plain: random.bytes(131_072) })))
      const file = wholeFile(xorb)
      const shard = givenShard({ files: [file] })
      expect(await growthOf(() => sender.put(xorb, ctx))).toBeLessThan(MOST_GROWN_BYTES)
      expect(
        await growthOf(async () => {
          const acceptance = await sender.accept(shard, ctx)
          await work(world, ctx)
          await ending(acceptance)
        }),
      ).toBeLessThan(MOST_GROWN_BYTES)
      const row = await objectRow(world, file.sha256.toString('hex'))
      expect((await ctx.blobs.stat(row?.key ?? ''))?.sizeBytes).toBe(file.plain.length)
    })

    test('a file of 512 MiB is that a small manifest describes, while it is hashed', async () => {
      const xorb = freshXorb([131_072])
      const { sha256 } = await sender.upload()
      await sender.put(xorb, ctx)
      // Claimed to be an object that exists, so that nothing is written.
      const shard = givenShard({ files: [repeated(xorb, 4096, Buffer.from(sha256, 'hex'))] })
      const outcome: unknown[] = []
      const grown = await growthOf(async () => {
        const acceptance = await sender.accept(shard, ctx)
        await work(world, ctx)
        outcome.push(await codeOf(ending(acceptance)))
      })
      expect(outcome).toEqual(['digest-mismatch'])
      expect(grown).toBeLessThan(MOST_GROWN_BYTES)
    })

    test('a file for which the disk has no room is not begun', async () => {
      const row = { id: 'huge', claimed_sha256: '0'.repeat(64), size: 2 ** 50 }
      expect(await codeOf(reserveObjects(ctx, [row]))).toBe('storage-full')
    })
  })
})
