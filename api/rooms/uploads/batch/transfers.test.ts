import { expect, test } from 'vitest'
import { asked, givenContent } from '../../../core/lfs/testing.ts'
import { eachDatabase } from '../../../testing.ts'
import { batch, type BatchRequest } from './batch.ts'
import { TinyRepo } from '../testing.ts'

const MiB = 1024 * 1024

eachDatabase('transfers of an LFS batch', (world) => {
  const tiny = new TinyRepo(world)
  const ask = (operation: BatchRequest['operation'], objects: BatchRequest['objects'], more = {}) =>
    batch(tiny.ctx(), tiny.repo, { operation, objects, ref: { name: 'main' }, ...more })
  const present = () => tiny.object()

  const large = { ...givenContent(10), sizeBytes: 200 * MiB + 1 }

  test('transfers are a set: without multipart among them a large object is sent basic', async () => {
    for (const transfers of [undefined, [], ['basic'], ['lfs-standalone-file', 'ssh', 'basic']])
      expect((await ask('upload', [asked(large)], { transfers })).transfer).toBe('basic')
    for (const transfers of [['multipart'], ['ssh', 'multipart', 'basic'], ['xet', 'multipart']])
      expect((await ask('upload', [asked(large)], { transfers })).transfer).toBe('multipart')
    expect((await ask('upload', [asked(givenContent())], { transfers: ['multipart'] })).transfer).toBe(
      'basic',
    )
    const here = await present()
    expect((await ask('download', [asked(here)], { transfers: ['multipart'] })).transfer).toBe('basic')
  })

  test('multipart: every object in chunk form, 5-digit keys in order, nothing else', async () => {
    const small = givenContent(5)
    const { objects } = await ask('upload', [asked(large), asked(small)], {
      transfers: ['basic', 'multipart'],
    })
    const headers = objects.map((object) => object.actions?.['upload']?.header ?? {})
    const numbered = (n: number) => Array.from({ length: n }, (_, i) => String(i + 1).padStart(5, '0'))
    expect(headers.map((header) => Object.keys(header))).toEqual([
      ['chunk_size', ...numbered(13)],
      ['chunk_size', ...numbered(1)],
    ])
    expect(headers.map((header) => header['chunk_size'])).toEqual([String(16 * MiB), String(16 * MiB)])
    const urls = headers.flatMap(({ chunk_size: _, ...parts }) => Object.values(parts))
    expect(urls.every((url) => world.deps.secrets.verifyUrl('PUT', url, world.clock.now) === 'valid')).toBe(
      true,
    )
  })

  test('multipart: a huge object has at most 10 000 parts, and a huge batch not many more', async () => {
    const huge = Array.from({ length: 20 }, () => ({ ...givenContent(10), sizeBytes: 2 ** 37 }))
    const { objects } = await ask('upload', huge.map(asked), { transfers: ['multipart'] })
    const parts = objects.map(({ actions }) => {
      const { chunk_size, ...urls } = actions?.['upload']?.header ?? {}
      expect(Object.keys(urls)).toHaveLength(Math.ceil(2 ** 37 / Number(chunk_size)))
      return Object.keys(urls).length
    })
    expect(parts.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(10_020)
  })

  test('asked again, an unfinished multipart upload goes on under its addresses', async () => {
    const content = { ...givenContent(10), sizeBytes: 100 * MiB }
    const completion = async () => {
      const { objects } = await ask('upload', [asked(content)], { transfers: ['multipart'] })
      return new URL(objects[0]?.actions?.['upload']?.href ?? '').pathname
    }
    expect(await completion()).toBe(await completion())
  })

  test('links are signed for their method and last as configured, in whole seconds', async () => {
    const content = await present()
    const up = (await ask('upload', [asked(givenContent())])).objects[0]?.actions
    const down = (await ask('download', [asked(content)])).objects[0]?.actions
    expect([up?.['upload']?.expires_in, up?.['verify']?.expires_in, down?.['download']?.expires_in]).toEqual([
      86_400, 86_400, 3600,
    ])
    const { secrets } = world.deps
    const href = up?.['upload']?.href ?? ''
    expect(secrets.verifyUrl('PUT', href, world.clock.now)).toBe('valid')
    expect(secrets.verifyUrl('GET', href, world.clock.now)).toBe('invalid')
    expect(secrets.verifyUrl('PUT', href.replace('size=1000', 'size=1001'), world.clock.now)).toBe('invalid')
    const late = new Date(world.clock.now.getTime() + 86_400_000)
    expect(secrets.verifyUrl('PUT', href, late)).toBe('expired')
  })
})
