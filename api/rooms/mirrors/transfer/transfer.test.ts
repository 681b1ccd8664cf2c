import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { codeOf, storedKeys } from '../../../core/lfs/testing.ts'
import { eachStore, givenUser } from '../../../testing.ts'
import { createPull } from '../pull/create-pull.ts'
import { givenHub, siteOf } from '../testing/site.ts'

eachStore('transfers', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  const small = { 'README.md': '# Model\n', 'config.json': '{}' }
  const transfersLeft = async () => world.db.q.$count(world.db.t.transfers)

  test('a large file comes in parts that are kept: what failed is all that is fetched again', async () => {
    const bytes = randomBytes(70 * 2 ** 20)
    await hub.commit('acme/parts', small, { large: { 'big.bin': bytes } })
    hub.cdnMisbehave = ({ headers }, response) => {
      if (headers.range?.startsWith('bytes=67108864-') !== true) return false
      response.writeHead(404).end()
      return true
    }
    const job = await site.pulled(site.ctx(person), site.wish('acme/parts'))
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'not-found' } })
    expect(await codeOf(site.read(site.ctx(person), 'acme/parts', 'big.bin'))).toBe('lfs-object-missing')
    expect(await storedKeys(world, 'transfers/')).toHaveLength(2)
    hub.cdnMisbehave = undefined
    const before = hub.cdnAsked.length
    expect((await site.pulled(site.ctx(person), site.wish('acme/parts'))).status).toBe('succeeded')
    const ranges = hub.cdnAsked.slice(before).map(({ headers }) => headers.range)
    expect(ranges.filter((range) => range !== 'bytes=0-0')).toEqual([`bytes=67108864-${bytes.length - 1}`])
    expect((await site.read(site.ctx(person), 'acme/parts', 'big.bin')).equals(bytes)).toBe(true)
    expect(await storedKeys(world, 'transfers/')).toEqual([])
    expect(await transfersLeft()).toBe(0)
  })

  test('a file that is being proven leaves its place to the next one', async () => {
    const large = { 'a.bin': randomBytes(33 * 2 ** 20), 'b.bin': randomBytes(33 * 2 ** 20) }
    await hub.commit('acme/places', small, { large })
    const wish = site.wish('acme/places')
    const { id } = await createPull(site.ctx(person), wish)
    const from = hub.cdnAsked.length
    const files = () => new Set(hub.cdnAsked.slice(from).map(({ url }) => url)).size
    const ctx = site.ctx(person, { concurrency: 1 })
    let fetchedBefore = 0
    // The first file is not stored before the upstream is asked for the second.
    const put: typeof ctx.blobs.put = async (key, source, options) => {
      if (key.startsWith('lfs/')) {
        fetchedBefore ||= files()
        while (files() < 2) await pause(20)
      }
      return ctx.blobs.put(key, source, options)
    }
    const blobs = new Proxy(ctx.blobs, {
      get: (store, name) => {
        if (name === 'put') return put
        const member: unknown = Reflect.get(store, name)
        return typeof member === 'function' ? (member.bind(store) as unknown) : member
      },
    })
    expect((await site.run({ ...ctx, blobs }, id)).status).toBe('succeeded')
    expect(fetchedBefore).toBe(1)
    for (const [path, bytes] of Object.entries(large))
      expect((await site.read(site.ctx(person), 'acme/places', path)).equals(bytes)).toBe(true)
  })

  test('an upstream without ranges is read in one stream', async () => {
    const bytes = randomBytes(40 * 2 ** 20)
    await hub.commit('acme/no-ranges', small, { large: { 'big.bin': bytes } })
    hub.cdnMisbehave = (_, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
      return true
    }
    expect((await site.pulled(site.ctx(person), site.wish('acme/no-ranges'))).status).toBe('succeeded')
    expect((await site.read(site.ctx(person), 'acme/no-ranges', 'big.bin')).equals(bytes)).toBe(true)
  })
})
