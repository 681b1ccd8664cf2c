import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlobStore } from './open.ts'
import { sharesOrigin } from './s3/endpoint.ts'
import { s3Options } from './testing/s3-servers.ts'

test('the fs backend makes its folder and can be used at once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-open-'))
  const config = { fs: { path: join(dir, 'not', 'there', 'yet') }, s3: s3Options('') }
  const store = await openBlobStore({ ...config, backend: 'fs' })
  await store.check()
  expect(store.kind).toBe('fs')
  await store.close()
  await rm(dir, { recursive: true })
})

test('the s3 backend opens without its bucket, which need not be there yet', async () => {
  const store = await openBlobStore({
    backend: 's3',
    fs: { path: '' },
    s3: s3Options('http://127.0.0.1:1', { retries: 0 }),
  })
  expect(store.kind).toBe('s3')
  await expect(store.check()).rejects.toMatchObject({ kind: 'transient' })
  await store.close()
})

test.each([
  ['http://models.test:9000', true, 'http://models.test:8080', false],
  ['http://models.test:8080', true, 'http://models.test:8080', true],
  ['models.test', true, 'https://models.test', true],
  // The bucket is in the host name then.
  ['models.test', false, 'https://models.test', false],
  ['', true, 'https://models.test', false],
])(
  'a store at %s (path style %s) is behind the origin of %s: %s',
  (endpoint, use_path_style, url, expected) => {
    expect(sharesOrigin({ ...s3Options(endpoint), use_path_style }, url)).toBe(expected)
  },
)

test('a store behind the origin of the service signs no addresses', async () => {
  const s3 = s3Options('http://127.0.0.1:1')
  const config = { backend: 's3' as const, fs: { path: '' }, s3 }
  const addressAt = async (publicUrl: string) => {
    const store = await openBlobStore(config, { publicUrl })
    const address = await store.presignGet('a', { ttlS: 60 })
    await store.close()
    return address
  }
  expect(await addressAt('http://127.0.0.1:1')).toBeUndefined()
  expect(await addressAt('http://127.0.0.1:2')).toContain('X-Amz-Signature')
})
