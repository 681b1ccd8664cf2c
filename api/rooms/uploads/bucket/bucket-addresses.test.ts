import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenContent } from '../../../core/lfs/testing.ts'
import type { UploadRoute } from '../../../core/lfs/index.ts'
import { openBlobStore, type BlobStore } from '../../../stores/storage/index.ts'
import { s3Keys } from '../../../stores/storage/testing/s3-servers.ts'
import { eachDatabase, testConfig } from '../../../testing.ts'
import { bucketUrls, sendsToBucket } from './bucket-uploads.ts'
import { givenUpload, TinyRepo } from '../testing.ts'

// Addresses are signed here; the bucket is not asked.
const s3 = { ...s3Keys('http://store.test:9000'), upload_mode: 'direct' }

eachDatabase('addresses of the bucket', (world) => {
  const tiny = new TinyRepo(world)
  let blobs: BlobStore
  const configAt = (public_url: string) =>
    testConfig(world.dir, { storage: { backend: 's3', s3 }, server: { public_url } })
  beforeAll(async () => {
    blobs = await openBlobStore(configAt('http://hub.test').storage)
  })
  afterAll(() => blobs.close())

  test('are given out unless the bucket lies behind our own origin', () => {
    const isSent = (publicUrl: string) => sendsToBucket({ blobs, config: configAt(publicUrl) })
    expect([isSent('http://hub.test'), isSent(s3.endpoint)]).toEqual([true, false])
    expect(sendsToBucket({ blobs: world.blobs, config: configAt('http://hub.test') })).toBe(false)
  })

  test('are signed for what is sent there, and for nothing else', async () => {
    const content = givenContent()
    const more = { part_size: content.sizeBytes }
    const given = (via: UploadRoute) => givenUpload(world, tiny.repo, tiny.owner, content, { ...more, via })
    const uploads = new Map([
      ['there', await given('bucket-put')],
      ['here', await given('server')],
    ])
    const urls = await bucketUrls({ ...tiny.ctx(), blobs }, uploads)
    expect([...urls.keys()]).toEqual(['there'])
    expect(urls.get('there')?.map((url) => new URL(url).host)).toEqual(['store.test:9000'])
  })
})
