import { beforeAll, describe, expect, test } from 'vitest'
import { contentOf, storedKeys } from '../../core/lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import { givenObject } from '../uploads/testing.ts'
import { givenXorb, givenXorbRecord, Random } from './format/testing.ts'
import {
  fileOf,
  finish,
  freshXorb,
  givenSender,
  holds,
  standing,
  stepsOf,
  traces,
  wholeFile,
  work,
  type Sender,
} from './testing/sender.ts'
import { tasksUnderWay } from './threads/pool.ts'

const random = new Random(2)
const hex = (sha256: Buffer) => sha256.toString('hex')

eachDatabase('accept a shard', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })

  describe('what becomes of its files', () => {
    test('a file becomes an object of its SHA-256, which its sender may use', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const acceptance = await sender.describe([file], { xorbs: [givenXorbRecord(xorb)], tail: 'footer' })
      expect(acceptance.isDone).toBe(false)
      expect(await standing(sender, file)).toBe('completing')
      const totalBytes = file.plain.length
      expect(await finish(world, acceptance)).toEqual({ verifiedBytes: totalBytes, totalBytes })
      expect(await standing(sender, file)).toBe('usable')
      expect(await holds(world, file)).toBe(true)
      expect(await storedKeys(world, 'shards/')).toEqual([])
      expect(tasksUnderWay()).toBe(0)
    })

    test('files of many terms, of several xorbs and schemes, with repeats and gaps', async () => {
      const text = givenXorb(Array.from({ length: 5 }, () => ({ plain: random.text(20_000), scheme: 1 })))
      const floats = givenXorb(Array.from({ length: 3 }, () => ({ plain: random.floats(30_000), scheme: 2 })))
      const raw = freshXorb(Array.from({ length: 12 }, () => 9000))
      for (const xorb of [text, floats, raw]) await sender.put(xorb)
      const files = [
        fileOf([
          { xorb: raw, start: 0, end: 5 },
          { xorb: raw, start: 5, end: 12 },
          { xorb: text, start: 1, end: 4 },
        ]),
        fileOf(Array.from({ length: 40 }, (_, i) => ({ xorb: floats, start: i % 3, end: (i % 3) + 1 }))),
        fileOf([
          { xorb: text, start: 4, end: 5 },
          { xorb: floats, start: 0, end: 3 },
          { xorb: text, start: 0, end: 5 },
          { xorb: raw, start: 11, end: 12 },
        ]),
      ]
      await finish(world, await sender.describe(files))
      for (const file of files) expect(await holds(world, file)).toBe(true)
    })

    test('sixty files of one shard', async () => {
      const xorb = freshXorb(Array.from({ length: 60 }, (_, i) => 100 + i))
      await sender.put(xorb)
      const files = Array.from({ length: 60 }, (_, i) => fileOf([{ xorb, start: i, end: i + 1 }]))
      const acceptance = await sender.describe(files, { tail: 'tables', xorbs: [givenXorbRecord(xorb)] })
      await finish(world, acceptance)
      for (const file of files) expect(await holds(world, file)).toBe(true)
    })

    test('an empty file', async () => {
      const file = { ...fileOf([]), hash: Buffer.alloc(32) }
      await finish(world, await sender.describe([file]))
      expect(await holds(world, file)).toBe(true)
      expect(await standing(sender, file)).toBe('usable')
    })

    test('a shard of no file', async () => {
      expect((await sender.describe([])).isDone).toBe(true)
    })

    test('a file whose sender left out the SHA-256', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      await finish(world, await sender.describe([{ ...file, sha256: undefined }]))
      expect(await holds(world, file)).toBe(true)
      expect(await sender.mayUse(hex(file.sha256))).toBe(true)
    })

    test('a file that is described twice is put together once', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const acceptance = await sender.describe([file, file])
      expect((await stepsOf(await finishing(acceptance))).at(-1)?.totalBytes).toBe(file.plain.length)
      expect(await holds(world, file)).toBe(true)
    })
    const finishing = async <A>(acceptance: A) => {
      await work(world)
      return acceptance
    }

    test('progress only grows, and ends with the whole', async () => {
      const xorb = freshXorb(Array.from({ length: 9 }, () => 1000))
      await sender.put(xorb)
      const acceptance = await sender.describe(
        Array.from({ length: 9 }, (_, i) => fileOf([{ xorb, start: i, end: i + 1 }])),
      )
      const [steps] = await Promise.all([stepsOf(acceptance), work(world)])
      const verified = steps.map(({ verifiedBytes }) => verifiedBytes)
      expect(verified).toEqual(verified.toSorted((a, b) => a - b))
      expect([verified.at(-1), new Set(steps.map(({ totalBytes }) => totalBytes))]).toEqual([
        9000,
        new Set([9000]),
      ])
    })
  })

  describe('what is there already', () => {
    test('the same shard again is done at once, and leaves nothing', async () => {
      const { file } = await sender.upload()
      const before = await traces(world)
      expect((await sender.describe([file])).isDone).toBe(true)
      expect(await traces(world)).toEqual(before)
    })

    test('the same shard while it is worked on joins the work', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const first = await sender.describe([file])
      const before = await traces(world)
      const second = await sender.describe([file])
      expect(await traces(world)).toEqual(before)
      await finish(world, first)
      expect((await stepsOf(second)).at(-1)).toEqual({ verifiedBytes: 16_000, totalBytes: 16_000 })
    })

    test('another user in another repo has a job of their own, so that none learns of the other', async () => {
      const other = await givenSender(world)
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      for (const one of [sender, other]) await one.put(xorb)
      const jobs = (await traces(world)).jobs
      const acceptances = [await sender.describe([file]), await other.describe([file])]
      expect((await traces(world)).jobs).toBe(jobs + 2)
      expect(await standing(other, file)).toBe('completing')
      await finish(world, acceptances[0] ?? expect.fail('no acceptance'))
      await stepsOf(acceptances[1] ?? expect.fail('no acceptance'))
      for (const one of [sender, other]) expect(await standing(one, file)).toBe('usable')
      const third = await givenSender(world)
      expect(await standing(third, file)).toBe('missing')
    })

    test('shards of several users that come at the same moment, in any order of files, make one rebuild of each per user', async () => {
      const senders = await Promise.all(Array.from({ length: 4 }, () => givenSender(world)))
      const xorb = freshXorb(Array.from({ length: 20 }, () => 600))
      for (const one of senders) await one.put(xorb)
      const files = Array.from({ length: 20 }, (_, i) => fileOf([{ xorb, start: i, end: i + 1 }]))
      const orders = [files, files.toReversed(), files.slice(7), [...files.slice(10), ...files.slice(0, 10)]]
      const before = await traces(world)
      const acceptances = await Promise.all(senders.map((one, i) => one.describe(orders[i] ?? [])))
      expect((await traces(world)).rebuilds).toBe(before.rebuilds + 20 + 20 + 13 + 20)
      await work(world)
      for (const acceptance of acceptances) await stepsOf(acceptance)
      for (const [i, one] of senders.entries())
        for (const file of orders[i] ?? []) expect(await standing(one, file)).toBe('usable')
    })

    test('a claim that comes while the work ends is granted all the same', async () => {
      for (let round = 0; round < 8; round++) {
        const other = await givenSender(world)
        const xorb = freshXorb([300])
        const file = wholeFile(xorb)
        for (const one of [sender, other]) await one.put(xorb)
        await sender.describe([file])
        const [acceptance] = await Promise.all([other.describe([file]), work(world)])
        await work(world)
        await stepsOf(acceptance)
        expect(await standing(other, file)).toBe('usable')
      }
    })

    test('an object that came by a plain upload is found, and granted to those who prove its bytes', async () => {
      const plainSender = await givenSender(world)
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await givenObject(world, plainSender.actor, plainSender.repo, contentOf(file.plain))
      await sender.put(xorb)
      expect(await standing(sender, file)).toBe('missing')
      await finish(world, await sender.describe([file]))
      expect(await standing(sender, file)).toBe('usable')
      expect((await storedKeys(world, 'lfs/')).filter((key) => key.includes(hex(file.sha256)))).toHaveLength(
        1,
      )
    })

    test('one content cut in two ways is one object', async () => {
      const plain = random.bytes(30_000)
      const cuts = [
        [10_000, 20_000],
        [20_000, 10_000],
      ].map((lengths) => {
        let at = 0
        return givenXorb(lengths.map((length) => ({ plain: plain.subarray(at, (at += length)) })))
      })
      for (const xorb of cuts) await sender.put(xorb)
      const files = cuts.map(wholeFile)
      await finish(world, await sender.describe(files))
      for (const file of files) expect(await holds(world, { ...file, plain })).toBe(true)
      expect((await traces(world)).rebuilds).toBe(0)
    })
  })
})
