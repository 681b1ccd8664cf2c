import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { checkPointers } from '../../core/lfs/index.ts'
import { codeOf, objectRow, overFaulty } from '../../core/lfs/testing.ts'
import type { Fault } from '../../stores/storage/testing/fault-plan.ts'
import { eachDatabase } from '../../testing.ts'
import { hashText } from './format/index.ts'
import { givenShard, givenXorb, Random, type GivenXorb } from './format/testing.ts'
import { findXorb } from './queries.ts'
import {
  ending,
  fileOf,
  finish,
  freshXorb,
  givenSender,
  holds,
  refusal,
  traces,
  wholeFile,
  work,
  type Sender,
  type WholeFile,
} from './testing/sender.ts'
import { endThreads, tasksUnderWay } from './threads/pool.ts'

const faults: Fault[] = [
  { type: 'before', kind: 'transient' },
  { type: 'after', kind: 'transient' },
  { type: 'before', kind: 'missing' },
  { type: 'short' },
  { type: 'flip' },
]
const hex = (sha256: Buffer) => sha256.toString('hex')
const random = new Random(3)

eachDatabase('chunk uploads over a failing store', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  const isVisible = async ({ sha256 }: WholeFile) =>
    (await sender.mayUse(hex(sha256))) || (await objectRow(world, hex(sha256))) !== undefined

  /** Tries every step of `work` with the fault, until all steps are taken without it. */
  async function atEachStep(fault: Fault, ctx: Ctx, work: (ctx: Ctx, n: number) => Promise<void>) {
    const isOfBytes = fault.type === 'flip' || fault.type === 'short'
    for (let n = 1, isHit = true; isHit; n++) {
      isHit = false
      let met = 0
      const faulty = overFaulty(ctx, ({ operation, key }) => {
        if (isOfBytes && operation !== 'chunk') return undefined
        // Bits that turn on their way into the store are found by the deep check alone.
        if ((fault.type === 'flip' && key.startsWith('lfs/')) || ++met !== n) return undefined
        isHit = true
        return fault
      })
      await work(faulty, n)
    }
    expect(tasksUnderWay()).toBe(0)
  }

  describe.each(faults)('%o', (fault) => {
    test('while a shard is taken in: it is accepted whole, or leaves nothing and can be sent again', async () => {
      await atEachStep(fault, sender.ctx(), async (ctx, n) => {
        const xorb = freshXorb([700, 300])
        const file = wholeFile(xorb)
        await sender.put(xorb)
        const { rebuilds, jobs } = await traces(world)
        const outcome = await codeOf(sender.accept(givenShard({ files: [file] }), ctx))
        if (outcome !== 'ok') {
          expect([`store: ${'kind' in fault ? fault.kind : ''}`, 'invalid-request'], `step ${n}`).toContain(
            outcome,
          )
          expect(await traces(world)).toMatchObject({ rebuilds, jobs })
          await sender.put(xorb)
          await finish(world, await sender.describe([file]))
          expect(await holds(world, file)).toBe(true)
        }
      })
    })

    test('while files are put together: they become objects, or can be sent again', async () => {
      await atEachStep(fault, world.ctx(), async (ctx, n) => {
        const xorb = freshXorb([700, 300])
        const file = wholeFile(xorb)
        await sender.put(xorb)
        const acceptance = await sender.describe([file])
        await work(world, ctx)
        const outcome = await codeOf(ending(acceptance))
        if (outcome !== 'ok') {
          expect(outcome, `step ${n}`).toBe('invalid-request')
          expect(await isVisible(file)).toBe(false)
          await sender.put(xorb)
          await finish(world, await sender.describe([file]))
        }
        expect(await holds(world, file)).toBe(true)
        expect(await sender.mayUse(hex(file.sha256))).toBe(true)
      })
    })
  })

  test.each(faults.slice(-2))('while a file without a stated SHA-256 is rebuilt: %o', async (fault) => {
    await atEachStep(fault, world.ctx(), async (ctx) => {
      const xorb = freshXorb([700, 300])
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const acceptance = await sender.describe([{ ...file, sha256: undefined }])
      await work(world, ctx)
      if ((await codeOf(ending(acceptance))) !== 'ok') {
        expect(await isVisible(file)).toBe(false)
        await sender.put(xorb)
        await finish(world, await sender.describe([file]))
      }
      expect(await holds(world, file)).toBe(true)
    })
  })

  describe('a stored xorb that is damaged', () => {
    const rowOf = async ({ index }: GivenXorb) =>
      (await findXorb(world.db, hashText(index.hash))) ?? expect.fail('no xorb')
    async function rewrite(key: string, change: (bytes: Buffer) => Buffer | undefined) {
      const chunks: Uint8Array[] = []
      for await (const chunk of await world.blobs.read(key)) chunks.push(chunk)
      await world.blobs.delete(key)
      const changed = change(Buffer.concat(chunks))
      if (changed)
        await world.blobs.put(
          key,
          (async function* () {
            yield changed
          })(),
        )
    }
    const flipAt = (at: number) => (bytes: Buffer) => {
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes
    }
    const gone = () => undefined
    const damages: [string, 'body' | 'index', (bytes: Buffer) => Buffer | undefined][] = [
      ['its body gone', 'body', gone],
      ['its body cut off', 'body', (bytes) => bytes.subarray(0, 400)],
      ['one bit of a plain chunk turned', 'body', flipAt(100)],
      ['one bit of a packed chunk turned', 'body', flipAt(1400)],
      ['one bit of a header turned', 'body', flipAt(4)],
      ['its index gone', 'index', gone],
      ['its index cut off', 'index', (bytes) => bytes.subarray(0, 50)],
      ['one bit of its index turned', 'index', flipAt(10)],
      [
        'the index of another',
        'index',
        (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(32, 5), bytes.subarray(36)]),
      ],
    ]
    const two = () => givenXorb([{ plain: random.bytes(1000) }, { plain: random.text(3000), scheme: 1 }])

    // Of indexes one, since all are read in the same way as for a manifest, which meets every damage of them below.
    test.each(damages.filter(([name, part]) => part === 'body' || name === 'its index gone'))(
      '%s: its files are refused, and the next upload stores it again',
      async (_, part, damage) => {
        const xorb = two()
        const file = wholeFile(xorb)
        await sender.put(xorb)
        const acceptance = await sender.describe([file])
        const { key } = await rowOf(xorb)
        await rewrite(part === 'index' ? `${key}.idx` : key, damage)
        // The thread that has checked the manifest knows its indexes.
        if (part === 'index') await endThreads()
        await work(world)
        const [code, detail] = await refusal(ending(acceptance))
        expect(code).toBe('invalid-request')
        expect(detail).toContain(
          `${hashText(Buffer.from(file.hash))} cannot be put together, for chunks of it have been damaged`,
        )
        expect(await isVisible(file)).toBe(false)
        const pointer = { sha256: hex(file.sha256), sizeBytes: file.plain.length }
        const { reasons } = await checkPointers(world.db, sender.ctx(), sender.repo.id, [pointer])
        expect(reasons.get(pointer.sha256)).toBe(detail)
        expect((await sender.put(xorb)).wasInserted).toBe(true)
        await finish(world, await sender.describe([file]))
        expect(await holds(world, file)).toBe(true)
      },
    )

    test.each(damages.filter(([, part]) => part === 'index'))(
      '%s: no shard may name it any more, until it is sent again',
      async (_, part, damage) => {
        const xorb = two()
        await sender.put(xorb)
        const { key } = await rowOf(xorb)
        await rewrite(part === 'index' ? `${key}.idx` : key, damage)
        const [code, detail] = await refusal(sender.describe([wholeFile(xorb)]))
        expect(code).toBe('invalid-request')
        expect(detail).toContain(`names the chunk container ${hashText(xorb.index.hash)}`)
        await sender.put(xorb)
        await finish(world, await sender.describe([wholeFile(xorb)]))
        expect(await holds(world, wholeFile(xorb))).toBe(true)
      },
    )

    test.each([
      ['as many other bytes', [40, 44]],
      ['more bytes', [44]],
      ['chunks that no container has', [45]],
    ])('its manifest names %s: no sender is blamed', async (_, offsets) => {
      const xorb = freshXorb([700, 700, 700, 700, 700])
      const file = fileOf([{ xorb, start: 2, end: 4 }])
      await sender.put(xorb)
      const acceptance = await sender.describe([file])
      const { chunk_rebuilds: r } = world.db.t
      const [row = expect.fail('no rebuild')] = await world.db.q
        .select()
        .from(r)
        .where(eq(r.file_hash, hashText(Buffer.from(file.hash))))
      for (const at of offsets) await rewrite(row.shard_key, flipAt(row.terms_offset + at))
      await work(world)
      expect(await refusal(ending(acceptance))).toMatchObject([
        'invalid-request',
        expect.stringContaining('damaged on the server'),
      ])
      await finish(world, await sender.describe([file]))
      expect(await holds(world, file)).toBe(true)
    })

    test('others that are put together beside it become objects', async () => {
      const [bad, good] = [two(), freshXorb()]
      for (const xorb of [bad, good]) await sender.put(xorb)
      const files = [fileOf([{ xorb: good, start: 0, end: 2 }]), wholeFile(bad), wholeFile(good)]
      const acceptance = await sender.describe(files)
      await rewrite((await rowOf(bad)).key, gone)
      await work(world)
      expect(await codeOf(ending(acceptance))).toBe('invalid-request')
      expect(await Promise.all(files.map((file) => holds(world, file)))).toEqual([true, false, true])
    })

    test('a read that fails once is retried, and no sender is blamed', async () => {
      const xorb = two()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const acceptance = await sender.describe([file])
      const { key } = await rowOf(xorb)
      let isOver = false
      const once = overFaulty(world.ctx(), (io) => {
        if (isOver || io.operation !== 'chunk' || io.key !== key) return undefined
        isOver = true
        return { type: 'flip' }
      })
      await work(world, once)
      await ending(acceptance)
      expect([isOver, await holds(world, file)]).toEqual([true, true])
    })
  })
})
