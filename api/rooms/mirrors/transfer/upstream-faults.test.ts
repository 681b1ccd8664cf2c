import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { retryJob } from '../../../core/jobs/retry.ts'
import { codeOf, pass, storedKeys } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { createPull } from '../pull/create-pull.ts'
import { pull } from '../pull/pull-job.ts'
import { givenHub, siteOf } from '../testing/site.ts'

const MiB = 2 ** 20

eachDatabase('transfers from an upstream with faults', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  const small = { 'README.md': '# Model\n' }
  const given = async (name: string, bytes: Buffer) => {
    await hub.commit(`acme/${name}`, small, { large: { 'a.bin': bytes } })
    return site.wish(`acme/${name}`)
  }
  const read = (name: string) => site.read(site.ctx(person), `acme/${name}`, 'a.bin')

  test('a range is asked for five times before the job rests; what failed four times comes', async () => {
    const bytes = randomBytes(3000)
    let failures = 0
    let most = 4
    hub.cdnMisbehave = (_, response) => {
      if (failures >= most) return false
      failures++
      response.destroy()
      return true
    }
    expect((await site.pulled(site.ctx(person), await given('four-times', bytes))).status).toBe('succeeded')
    expect((await read('four-times')).equals(bytes)).toBe(true)
    failures = 0
    most = Number.POSITIVE_INFINITY
    const job = await site.pulled(site.ctx(person), await given('five-times', randomBytes(3000)))
    expect(job).toMatchObject({ status: 'queued', problem: { code: 'upstream-unavailable' } })
    expect(failures).toBe(5)
    // The queue tries the job as a whole.
    hub.cdnMisbehave = undefined
    pass(world, 60_000)
    expect((await site.run(site.ctx(person), job.id)).status).toBe('succeeded')
  })

  test('four ranges of a file are in flight, and a fifth begins when one of them has ended', async () => {
    const bytes = Buffer.alloc(5 * 32 * MiB, 'arsenal ')
    const wish = await given('ranges', bytes)
    const waiting = new Set<() => void>()
    let most = 0
    hub.cdnMisbehave = ({ headers }, response) => {
      const [, from = 0, to = 0] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []).map(Number)
      const answer = () => {
        waiting.delete(answer)
        const part = bytes.subarray(from, to + 1)
        const length = { 'Content-Length': part.length }
        response
          .writeHead(206, { ...length, 'Content-Range': `bytes ${from}-${to}/${bytes.length}` })
          .end(part)
      }
      waiting.add(answer)
      most = Math.max(most, waiting.size)
      // The first range tells whether there are ranges; the others wait for each other.
      if (from === 0) answer()
      return true
    }
    const { id } = await createPull(site.ctx(person), wish)
    const running = site.run(site.ctx(person), id)
    while (waiting.size < 4) await pause(20)
    await pause(300)
    expect(waiting.size).toBe(4)
    for (const answer of waiting) answer()
    expect((await running).status).toBe('succeeded')
    expect(most).toBe(4)
  })

  test('a length other than the announced one keeps nothing', async () => {
    const bytes = randomBytes(3000)
    const wish = await given('length', bytes)
    for (const sent of [bytes.subarray(0, 2000), Buffer.concat([bytes, bytes])]) {
      hub.cdnMisbehave = (_, response) => {
        response.writeHead(200, { 'Content-Length': sent.length }).end(sent)
        return true
      }
      pass(world, 7_200_000)
      const { id } = await createPull(site.ctx(person), wish)
      const job = await site.run(site.ctx(person), id)
      expect(job).toMatchObject({ status: 'queued', problem: { code: 'upstream-unavailable' } })
      expect(job.problem?.message).toContain(`not the ${bytes.length} asked for`)
      expect(await codeOf(read('length'))).toBe('lfs-object-missing')
    }
    // Without a length, what is too short or too long shows by the hash.
    hub.cdnMisbehave = (_, response) => {
      response.writeHead(200, { 'Transfer-Encoding': 'chunked' })
      response.end(bytes.subarray(0, 2000))
      return true
    }
    pass(world, 7_200_000)
    const { id } = await createPull(site.ctx(person), wish)
    const job = await site.run(site.ctx(person), id)
    expect(job.status).not.toBe('succeeded')
    expect(await codeOf(read('length'))).toBe('lfs-object-missing')
    expect(await storedKeys(world, 'lfs/')).not.toContain(expect.stringContaining(hub.shaOf(bytes) ?? '-'))
  })

  test('401 of a file is a refusal that names no token, and is not tried again', async () => {
    const wish = await given('refused', randomBytes(3000))
    let asked = 0
    hub.misbehave = ({ url }, response) => {
      if (!url?.includes('/resolve/')) return false
      asked++
      response.writeHead(401).end('who are you?')
      return true
    }
    const job = await site.pulled(site.ctx(person), wish)
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'not-found' } })
    expect(job.problem?.message).toContain('save a token of hub')
    expect(asked).toBe(1)
  })

  test('a job that failed goes on where it stopped when it is retried', async () => {
    const bytes = randomBytes(40 * MiB)
    const wish = await given('retried', bytes)
    hub.cdnMisbehave = ({ headers }, response) => {
      if (!headers.range?.startsWith(`bytes=${32 * MiB}-`)) return false
      response.writeHead(404).end()
      return true
    }
    const failed = await site.pulled(site.ctx(person), wish)
    expect(failed.status).toBe('failed')
    hub.cdnMisbehave = undefined
    const before = hub.cdnAsked.length
    await retryJob(site.ctx(person), [pull], failed.id)
    expect((await site.run(site.ctx(person), failed.id)).status).toBe('succeeded')
    expect(hub.cdnAsked.slice(before).map(({ headers }) => headers.range)).toEqual([
      `bytes=${32 * MiB}-${40 * MiB - 1}`,
    ])
    expect((await read('retried')).equals(bytes)).toBe(true)
  })

  test('a disk without room refuses a pull before it begins, and a file that no longer fits', async () => {
    const bytes = randomBytes(3000)
    const wish = await given('no-room', bytes)
    const ctx = site.ctx(person)
    const withRoom = (freeBytes: number) => {
      const blobs = new Proxy(ctx.blobs, {
        get(store, name) {
          if (name === 'freeSpace') return () => Promise.resolve({ freeBytes, totalBytes: 10_000 })
          const member: unknown = Reflect.get(store, name)
          return typeof member === 'function' ? (member.bind(store) as unknown) : member
        },
      })
      return { ...ctx, blobs }
    }
    // A twentieth of the disk stays free: 500 bytes.
    await expect(createPull(withRoom(3400), wish)).rejects.toMatchObject({ code: 'storage-full' })
    const { id } = await createPull(withRoom(3600), wish)
    const asked = hub.cdnAsked.length
    const job = await site.run(withRoom(3400), id)
    expect(job).toMatchObject({ status: 'queued', problem: { code: 'storage-full' } })
    expect(job.problem?.message).toContain('The disk is too full')
    expect(hub.cdnAsked.length).toBe(asked)
    pass(world, 60_000)
    expect((await site.run(withRoom(3600), id)).status).toBe('succeeded')
    expect((await read('no-room')).equals(bytes)).toBe(true)
  })
})
