import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { listJobs } from '../../core/jobs/find.ts'
import { codeOf, storeCalls } from '../../core/lfs/testing.ts'
import { watchedDb } from '../../testing/watched-db.ts'
import { eachDatabase, testConfig } from '../../testing.ts'
import { givenShard, type GivenXorb } from './format/testing.ts'
import {
  finish,
  fileOf,
  freshXorb,
  givenSender,
  stepsOf,
  wholeFile,
  work,
  type Sender,
  type WholeFile,
} from './testing/sender.ts'

/*
 * Sending bytes or hashes as chunks tells nothing of private repos. Each test does the same with bytes that a private repo
 * holds and with bytes that are new to the server, and compares all that the sender can see.
 */
eachDatabase('bytes of a private repo and new bytes', (world) => {
  let keeper: Sender
  beforeAll(async () => {
    keeper = await givenSender(world)
  })

  interface Bytes {
    xorb: GivenXorb
    file: WholeFile
  }
  const stored = async (): Promise<Bytes> => keeper.upload()
  const unknown = async (): Promise<Bytes> => {
    const xorb = freshXorb()
    return { xorb, file: wholeFile(xorb) }
  }
  /** What a new sender sees of each. */
  const seenOfBoth = async <T>(see: (prober: Sender, bytes: Bytes) => Promise<T>) => {
    const seen: T[] = []
    for (const given of [stored, unknown]) {
      const bytes = await given()
      seen.push(await see(await givenSender(world), bytes))
    }
    return seen
  }
  const jobsOf = async (sender: Sender) => {
    const { items } = await listJobs(sender.ctx(), { mine: true }, { limit: 100 })
    return items.map(({ kind, status, input, progress_done, progress_total }) => ({
      kind,
      status,
      input: { ...(input as object), shard: '' },
      progress_done,
      progress_total,
    }))
  }
  const limitedTo = (sender: Sender, max_file_size: number): Ctx => ({
    ...sender.ctx(),
    config: testConfig(world.dir, { chunk: { max_file_size } }),
  })

  test('a manifest that is too large in all is refused alike, by hashes alone', async () => {
    const [one, other] = await seenOfBoth(async (prober, { file }) => {
      const own = freshXorb([5000, 5001, 5002, 5003])
      const files = [file, ...[0, 1, 2, 3].map((start) => fileOf([{ xorb: own, start, end: start + 1 }]))]
      await prober.put(own)
      return codeOf(prober.accept(givenShard({ files }), limitedTo(prober, 16_000 / 4 + 1004)))
    })
    expect(one).toBe(other)
  })

  test('a manifest of the bytes begins the same job, with the same progress and the same answer', async () => {
    const [one, other] = await seenOfBoth(async (prober, { xorb, file }) => {
      const put = await prober.put(xorb)
      const acceptance = await prober.describe([file])
      const before = await jobsOf(prober)
      const calls = await storeCalls(world.ctx(), (ctx) => work(world, ctx))
      const steps = await stepsOf(acceptance)
      return {
        put,
        isDone: acceptance.isDone,
        before,
        calls: new Set(calls),
        steps,
        after: await jobsOf(prober),
      }
    })
    expect(one?.before).toMatchObject([{ kind: 'chunk.rebuild', status: 'queued' }])
    // The second copy is deleted after the answer.
    expect(one?.calls.delete('delete')).toBe(true)
    other?.calls.delete('delete')
    expect(one).toEqual(other)
  })

  test('before the answer the database and the store are asked for as much', async () => {
    const stepsOfDatabase = async (prober: Sender, work: (ctx: Ctx) => Promise<unknown>) => {
      const steps: string[] = []
      const ctx = prober.ctx()
      const db = watchedDb(ctx.db, (step, act) => {
        steps.push(
          step.kind === 'statement' ? (/^(select|update)/.exec(step.sql) ? step.sql : 'change') : step.kind,
        )
        return act()
      })
      const calls = await storeCalls({ ...ctx, db }, async (counted) => {
        await work(counted)
      })
      // What follows the answer is no part of it.
      return { steps: [...steps], calls: [...calls] }
    }
    const [one, other] = await seenOfBoth(async (prober, { xorb, file }) => ({
      put: await stepsOfDatabase(prober, (ctx) => prober.put(xorb, ctx)),
      accept: await stepsOfDatabase(prober, (ctx) => prober.accept(givenShard({ files: [file] }), ctx)),
    }))
    expect(one?.put.steps).not.toHaveLength(0)
    expect(one?.accept.steps).not.toHaveLength(0)
    expect(one?.put.calls).toContain('put')
    expect(one).toEqual(other)
  })

  test('a container that others have sent is written again', async () => {
    const [one, other] = await seenOfBoth((prober, { xorb }) =>
      storeCalls(prober.ctx(), (ctx) => prober.put(xorb, ctx)),
    )
    expect(one?.filter((call) => call === 'put')).toEqual(other?.filter((call) => call === 'put'))
  })

  test('a rebuild of somebody else that is under way is not joined', async () => {
    const xorb = freshXorb()
    await keeper.put(xorb)
    const begun = await keeper.describe([wholeFile(xorb)])
    const prober = await givenSender(world)
    await prober.put(xorb)
    await prober.describe([wholeFile(xorb)])
    expect(await jobsOf(prober)).toMatchObject([{ status: 'queued' }])
    await work(world)
    await stepsOf(begun)
  })

  test('what the sender may use counts as uploaded before, and needs no job', async () => {
    const { file } = await keeper.upload()
    const before = (await jobsOf(keeper)).length
    const again = await keeper.accept(givenShard({ files: [file] }), limitedTo(keeper, 16_000))
    expect(again.isDone).toBe(true)
    await finish(world, again)
    expect(await jobsOf(keeper)).toHaveLength(before)
  })
})
