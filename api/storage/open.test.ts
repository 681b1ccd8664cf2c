import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlobStore } from './open.ts'
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
