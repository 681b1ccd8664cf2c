import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { mountJobs } from '../../../core/jobs/handlers.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../../../testing.ts'
import { actorNow } from '../../auth/index.ts'
import { mirrorSync } from '../sync/sync-job.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import type { viewPull } from '../view-pull.ts'
import { createPull } from './create-pull.ts'
import { pull } from './pull-job.ts'

type Told = { status: string } & Awaited<ReturnType<typeof viewPull>>

eachDatabase('the events of a pull', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  /** What a follower of a job hears, from its next event on. */
  async function follow(id: string): Promise<AsyncGenerator<Told>> {
    const { secret } = await givenToken(world, person)
    const app = appOf(world, { native: [mountJobs({ kinds: [pull, mirrorSync], actorNow })] })
    const headers = { Authorization: `Bearer ${secret}` }
    const { body } = await app.request(`${nativeBase}/jobs/${id}/events`, { headers })
    if (!body) throw new Error('no events came')
    return heard(body)
  }
  async function* heard(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
    let text = ''
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      text += part
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data !== undefined) yield JSON.parse(data) as Told
      }
    }
  }

  test('tell how far each of its files is, to the end', async () => {
    const bytes = { 'a.bin': randomBytes(300_000), 'b.bin': randomBytes(5000) }
    await hub.commit('acme/told', { 'README.md': '# Model\n' }, { large: bytes })
    const { id } = await createPull(site.ctx(person), site.wish('acme/told'))
    const events = await follow(id)
    expect((await events.next()).value).toMatchObject({ status: 'queued', files: [] })
    let release = () => {}
    const half = new Promise<void>((resolve) => (release = resolve))
    hub.cdnMisbehave = (_, response) => {
      const isLarge = _.url?.slice(1, 65) === hub.shaOf(bytes['a.bin'])
      if (!isLarge) return false
      response.writeHead(200, { 'Content-Length': bytes['a.bin'].length })
      response.write(bytes['a.bin'].subarray(0, 100_000))
      void half.then(() => response.end(bytes['a.bin'].subarray(100_000)))
      return true
    }
    const running = site.run(site.ctx(person), id)
    const until = async (isIt: (told: Told) => boolean): Promise<Told> => {
      for await (const told of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) })
        if (isIt(told)) return told
      throw new Error('the events ended')
    }
    const underWay = await until(({ files }) => files.some(({ done }) => done > 0 && done < 300_000))
    expect(underWay.files.map(({ path, size }) => [path, size])).toEqual([
      ['a.bin', 300_000],
      ['b.bin', 5000],
    ])
    release()
    const last = await until(({ status }) => status === 'succeeded')
    expect(last.files.map(({ done, status }) => [done, status])).toEqual([
      [300_000, 'done'],
      [5000, 'done'],
    ])
    expect((await events.next()).done).toBe(true)
    expect((await running).status).toBe('succeeded')
  })

  test('say what a pull waits for outside its windows, and it goes on when one begins', async () => {
    const large = { 'a.bin': randomBytes(3000), 'b.bin': randomBytes(4000) }
    await hub.commit('acme/nightly', { 'README.md': '# Model\n' }, { large })
    const { id } = await createPull(site.ctx(person), site.wish('acme/nightly'))
    const now = world.clock.now
    const hour = (n: number) => String((now.getUTCHours() + n) % 24).padStart(2, '0')
    const windows = [`${hour(2)}:00-${hour(3)}:00`]
    const events = await follow(id)
    const from = hub.cdnAsked.length
    const running = site.run(site.ctx(person, { windows }), id)
    for await (const told of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) })
      if (told.note !== undefined) {
        expect(told.note).toContain(`Waiting for ${hour(2)}:00 (UTC)`)
        expect(told.files.map(({ status }) => status)).toEqual(['queued', 'queued'])
        break
      }
    expect(hub.cdnAsked.length).toBe(from)
    expect(await isDone(running)).toBe(false)
    // The window begins.
    world.clock.now = new Date(now.getTime() + 2 * 3_600_000)
    expect((await running).status).toBe('succeeded')
    let told: Told | undefined
    for await (const each of events) told = each
    expect(told).toMatchObject({ status: 'succeeded' })
    expect(told?.note).toBeUndefined()
  })

  test('say that a window has closed in the middle of a file, which goes on where it was', async () => {
    const bytes = randomBytes(70 * 2 ** 20)
    await hub.commit('acme/closing', { 'README.md': '# Model\n' }, { large: { 'a.bin': bytes } })
    const { id } = await createPull(site.ctx(person), site.wish('acme/closing'))
    const now = world.clock.now
    const hour = (n: number) => String((now.getUTCHours() + n) % 24).padStart(2, '0')
    const windows = [`${hour(0)}:00-${hour(1)}:00`]
    // The window ends while the first range is on its way.
    hub.cdnMisbehave = () => {
      world.clock.now = new Date(now.getTime() + 3_600_000)
      return false
    }
    const from = hub.cdnAsked.length
    const ranges = () => hub.cdnAsked.slice(from).map(({ headers }) => headers.range)
    const events = await follow(id)
    const running = site.run(site.ctx(person, { windows }), id)
    for await (const told of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) })
      if (told.note !== undefined && told.files[0]?.done === 2 ** 25) {
        expect(told).toMatchObject({ status: 'running', files: [{ status: 'transferring' }] })
        expect(told.note).toContain(`Waiting for ${hour(0)}:00 (UTC)`)
        break
      }
    expect(ranges()).toEqual(['bytes=0-33554431'])
    expect(await isDone(running)).toBe(false)
    // It opens on the next day.
    hub.cdnMisbehave = undefined
    world.clock.now = new Date(now.getTime() + 24 * 3_600_000)
    expect((await running).status).toBe('succeeded')
    expect(ranges().toSorted()).toEqual([
      'bytes=0-33554431',
      'bytes=33554432-67108863',
      `bytes=67108864-${bytes.length - 1}`,
    ])
    let told: Told | undefined
    for await (const each of events) told = each
    expect(told?.note).toBeUndefined()
    expect((await site.read(site.ctx(person), 'acme/closing', 'a.bin')).equals(bytes)).toBe(true)
  })
})

const isDone = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))])
