import { expect, test } from 'vitest'
import { bucketOrigin } from './endpoint.ts'
import { S3BlobStore } from './s3.ts'
import { s3Options } from '../testing/s3-servers.ts'

test.each([
  { endpoint: '', use_path_style: false, bucket: 'models' },
  { endpoint: '', use_path_style: true, bucket: 'models' },
  { endpoint: '', use_path_style: false, bucket: 'my.models' },
  { endpoint: '', use_path_style: false, bucket: 'models', region: 'cn-north-1' },
  { endpoint: 'store.test:9000', use_path_style: false, bucket: 'models' },
  { endpoint: 'http://store.test', use_path_style: false, bucket: 'my.models' },
  { endpoint: 'http://127.0.0.1:9000', use_path_style: false, bucket: 'models' },
  { endpoint: 'https://store.test', use_path_style: true, bucket: 'models' },
])('the origin that pages are allowed is that of the signed addresses: %o', async (settings) => {
  const options = { ...s3Options(''), ...settings }
  const store = new S3BlobStore(options)
  const url = await store.direct.presignPut('a/b', { ttlS: 60 })
  await store.close()
  expect(bucketOrigin(options)).toBe(new URL(url ?? '').origin)
})
