import { beforeAll, expect, test } from 'vitest'
import { deleteRepo, type Repo } from '../repos/index.ts'
import { eachDatabase, givenRepo, givenToken } from '../../testing.ts'
import { hashText } from './format/index.ts'
import { givenShard, givenXorbRecord, type GivenFile } from './format/testing.ts'
import {
  finish,
  freshXorb,
  givenSender,
  refusal,
  Sender,
  standing,
  stepsOf,
  traces,
  wholeFile,
  work,
} from './testing/sender.ts'

eachDatabase('possession of chunks', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  const messageOf = (name: string) =>
    `The upload names the chunk container ${name}, which this account has not sent to this server or which is kept no longer. ` +
    'Delete $HF_HOME/xet/*/shard-cache and $HF_HOME/xet/*/staging, or set HF_HUB_DISABLE_XET=1, then try again.'

  test('a xorb of somebody else is as unknown as one that never was', async () => {
    const thief = await givenSender(world)
    const { xorb, file, sha256 } = await sender.upload()
    const before = await traces(world)
    for (const stranger of [xorb, freshXorb()]) {
      const name = hashText(stranger.index.hash)
      expect(await refusal(thief.describe([wholeFile(stranger)]))).toEqual([
        'invalid-request',
        messageOf(name),
      ])
      expect(await refusal(thief.describe([], { xorbs: [givenXorbRecord(stranger)] }))).toEqual([
        'invalid-request',
        messageOf(name),
      ])
    }
    expect(await thief.mayUse(sha256)).toBe(false)
    expect(await standing(thief, file)).toBe('missing')
    expect(await traces(world)).toEqual(before)
  })

  test('a known file hash and SHA-256 without the range hashes give nothing', async () => {
    const thief = await givenSender(world)
    const { file, sha256 } = await sender.upload()
    const own = freshXorb()
    await thief.put(own)
    const ofNothing = { hash: Buffer.alloc(32), terms: [], sha256: file.sha256 }
    const lies: [GivenFile, string][] = [
      [{ ...file, terms: [] }, 'invalid-request'],
      [{ ...wholeFile(own), hash: file.hash, sha256: file.sha256 }, 'invalid-request'],
      [{ ...wholeFile(own), hash: file.hash, sha256: undefined }, 'invalid-request'],
      [ofNothing, 'digest-mismatch'],
    ]
    for (const [lie, code] of lies) {
      const describing = async () => {
        const acceptance = await thief.describe([lie])
        await work(world)
        return stepsOf(acceptance)
      }
      expect((await refusal(describing()))[0]).toBe(code)
      expect(await thief.mayUse(sha256)).toBe(false)
    }
  })

  test('the chunks of a known file, sent again, are proof enough', async () => {
    const other = await givenSender(world)
    const { xorb, file, sha256 } = await sender.upload()
    await other.put(xorb)
    await finish(world, await other.describe([file]))
    expect(await other.mayUse(sha256)).toBe(true)
    expect(await standing(other, file)).toBe('usable')
  })

  test('a grant is for the repo of the token alone, as a fenced token sees', async () => {
    const { sha256 } = await sender.upload()
    const elsewhere = await givenRepo(world, sender.actor)
    const fenced = ({ type, ns, name }: Repo) =>
      givenToken(world, sender.actor, { fence: { repos: [{ type, ns, name }] } })
    const [inside, outside] = [await fenced(sender.repo), await fenced(elsewhere)]
    const sees = async (actor: Sender['actor']) => new Sender(world, actor, sender.repo).mayUse(sha256)
    expect([await sees(inside.actor), await sees(outside.actor)]).toEqual([true, false])
  })

  test('a repo that was deleted takes nothing', async () => {
    const owner = await givenSender(world)
    const xorb = freshXorb()
    await owner.put(xorb)
    await deleteRepo(owner.ctx(), owner.repo)
    const before = await traces(world)
    expect(await refusal(owner.accept(givenShard({ files: [wholeFile(xorb)] })))).toEqual([
      'not-found',
      expect.stringContaining('has been deleted'),
    ])
    expect(await traces(world)).toEqual(before)
  })
})
