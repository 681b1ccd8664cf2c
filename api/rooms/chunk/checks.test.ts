import { beforeEach, expect, test } from 'vitest'
import type { Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { codeOf, overFaulty } from '../../core/lfs/testing.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { eachDatabase } from '../../testing.ts'
import { chunkCheck } from './checks.ts'
import { hashText } from './format/index.ts'
import { givenXorb, Random, type GivenXorb } from './format/testing.ts'
import { findXorb } from './queries.ts'
import { finish, freshXorb, givenSender, holds, traces, wholeFile, type Sender } from './testing/sender.ts'
import { tasksUnderWay } from './threads/pool.ts'

const random = new Random(4)

eachDatabase('fsck of chunk containers', (world) => {
  let sender: Sender
  beforeEach(async () => {
    await findings({ deep: true, repair: true })
    sender = await givenSender(world)
  })
  async function findings(
    { deep = false, repair = false, repoId }: { deep?: boolean; repair?: boolean; repoId?: string },
    deps: Deps = world.deps,
  ) {
    const found: Finding[] = []
    const options = { deep, repair, ...(repoId === undefined ? {} : { repoId }) }
    for await (const finding of chunkCheck.run(deps, options)) found.push(finding)
    return found
  }
  const hashOf = ({ index }: GivenXorb) => hashText(index.hash)
  async function given(xorb = freshXorb()) {
    await sender.put(xorb)
    const { key } = (await findXorb(world.db, hashOf(xorb))) ?? expect.fail('no xorb')
    return { xorb, key }
  }
  async function replace(key: string, bytes: Buffer) {
    await world.blobs.delete(key)
    await world.blobs.put(key, fromChunks(bytes))
  }
  const flipped = (bytes: Uint8Array, at: number) => {
    const turned = Buffer.from(bytes)
    turned[at] = (turned[at] ?? 0) ^ 1
    return turned
  }

  test('sound ones of every scheme and footer pass, deep and not', async () => {
    for (const scheme of [0, 1, 2]) await given(givenXorb([{ plain: random.text(9000 + scheme), scheme }]))
    await given(givenXorb([{ plain: random.bytes(9000) }], 1))
    await given(givenXorb([{ plain: random.bytes(9000) }], 0))
    for (const deep of [false, true]) expect(await findings({ deep })).toEqual([])
    expect(tasksUnderWay()).toBe(0)
  })

  test.each<[string, boolean, (key: string, body: Buffer) => Promise<unknown>, RegExp]>([
    ['bytes that are gone', false, (key) => world.blobs.delete(key), /the bytes are gone/],
    [
      'bytes that were cut off',
      false,
      (key, body) => replace(key, body.subarray(0, 99)),
      /99 bytes instead of/,
    ],
    ['an index that is gone', false, (key) => world.blobs.delete(`${key}.idx`), /its index is gone/],
    ['a bit that turned', true, (key, body) => replace(key, flipped(body, 50)), /the bytes have the hash/],
    ['a header that is none', true, (key, body) => replace(key, flipped(body, 0)), /version/],
    ['an index that is wrong', true, (key) => replace(`${key}.idx`, Buffer.alloc(124)), /its index is wrong/],
    [
      'an index without end',
      true,
      (key) => replace(`${key}.idx`, Buffer.alloc(400_000)),
      /its index is wrong/,
    ],
  ])('finds %s', async (_, deep, damage, message) => {
    const { xorb, key } = await given()
    const sound = await given()
    await damage(key, xorb.body)
    if (deep) expect(await findings({})).toEqual([])
    const found = await findings({ deep })
    expect(found).toEqual([
      { check: 'chunk.xorb', severity: 'error', message: expect.stringMatching(message) },
    ])
    expect(found[0]?.message).toContain(`${hashOf(xorb)} at ${key}`)
    expect(await findXorb(world.db, hashOf(xorb))).toBeDefined()
    expect((await findings({ deep, repair: true }))[0]?.repaired).toBe(true)
    expect(await findings({ deep })).toEqual([])
    expect(await findXorb(world.db, hashOf(xorb))).toBeUndefined()
    expect(await findXorb(world.db, hashOf(sound.xorb))).toBeDefined()
  })

  test('a run that dies has said and repaired all damage up to where it would go on', async () => {
    const { xorb, key } = await given()
    await world.blobs.delete(key)
    const found: Finding[] = []
    const dead = new Error('killed')
    const note = (id: string) => {
      if (id === hashOf(xorb)) throw dead
    }
    const run = async () => {
      const options = { deep: true, repair: true, resume: { after: '', note } }
      for await (const finding of chunkCheck.run(world.deps, options)) found.push(finding)
    }
    await expect(run()).rejects.toBe(dead)
    expect(found.at(-1)).toMatchObject({ repaired: true, message: expect.stringContaining(hashOf(xorb)) })
    expect(await findXorb(world.db, hashOf(xorb))).toBeUndefined()
  })

  test('one that was forgotten is sent again and used as before', async () => {
    const { xorb, key } = await given()
    await world.blobs.delete(key)
    await findings({ repair: true })
    expect(await codeOf(sender.describe([wholeFile(xorb)]))).toBe('invalid-request')
    expect(await sender.put(xorb)).toEqual({ wasInserted: true })
    await finish(world, await sender.describe([wholeFile(xorb)]))
    expect(await holds(world, wholeFile(xorb))).toBe(true)
  })

  test('a store that does not answer is no damage', async () => {
    await given()
    const before = await traces(world)
    for (const operation of ['stat', 'read', 'chunk'] as const) {
      const broken = overFaulty(world.ctx(), (io) =>
        io.operation === operation ? { type: 'before', kind: 'transient' } : undefined,
      )
      expect(await codeOf(findings({ deep: true, repair: true }, broken))).toBe('store: transient')
    }
    expect(await traces(world)).toEqual(before)
  })

  test('is not asked of a single repo, for containers belong to none', async () => {
    const { key } = await given()
    await world.blobs.delete(key)
    expect(await findings({ repoId: sender.repo.id })).toEqual([])
  })
})
