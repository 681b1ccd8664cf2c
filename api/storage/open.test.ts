import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlobStore } from './open.ts'

test('the fs backend makes its folder and can be used at once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-open-'))
  const store = await openBlobStore({ backend: 'fs', fs: { path: join(dir, 'not', 'there', 'yet') } })
  await store.check()
  expect(store.kind).toBe('fs')
  await store.close()
  await rm(dir, { recursive: true })
})

test('the s3 backend says that it is not there yet', async () => {
  await expect(openBlobStore({ backend: 's3', fs: { path: '' } })).rejects.toThrow('storage.backend=s3')
})
