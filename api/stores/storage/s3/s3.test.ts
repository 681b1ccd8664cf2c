import { expect, test } from 'vitest'
import { type Cases, MIB } from '../testing/conformance-given.ts'
import { directCases, expectGone } from '../testing/direct-uploads.ts'
import { blobStoreSuite } from '../testing/conformance.ts'
import { givenS3Store, s3Servers } from '../testing/s3-servers.ts'

/** What a server does in place of a case of the contract. */
const instead: Record<string, Cases> = {
  moto: {
    // moto 5.2.5 answers a part of an upload that is gone with 500 instead of NoSuchUpload.
    'a completed or aborted upload is gone': (store) => expectGone(store, 'transient'),
  },
}

// So that the larger objects of the contract are read directly, the others as any answer is.
const directBytes = 4 * MIB

for (const server of s3Servers)
  blobStoreSuite(server.name, () => givenS3Store(server, { directBytes }), {
    more: directCases,
    instead: instead[server.name],
  })

test('npm test brings two independent servers', () => {
  expect([0, 2]).toContain(s3Servers.length)
})
