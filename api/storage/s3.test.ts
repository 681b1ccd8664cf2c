import { expect, test } from 'vitest'
import { blobStoreSuite } from './conformance.ts'
import { givenS3Store, s3Servers } from './testing/s3-servers.ts'

/** Cases that a server itself fails. */
const skip: Record<string, Record<string, string>> = {
  moto: {
    'a completed or aborted upload is gone':
      'moto 5.2.5 answers a part of an upload that is gone with 500 instead of NoSuchUpload',
  },
}

for (const server of s3Servers)
  blobStoreSuite(server.name, () => givenS3Store(server), skip[server.name] ?? {})

test('npm test brings two independent servers', () => {
  expect([0, 2]).toContain(s3Servers.length)
})
