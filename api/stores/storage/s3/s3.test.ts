import { afterAll, describe, expect, test } from 'vitest'
import { switchDirectIo } from '../../../platform/direct-io/index.ts'
import {
  type Cases,
  expectBytes,
  givenBytes,
  givenObject,
  MIB,
  readAll,
  readRange,
} from '../testing/conformance-given.ts'
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

afterAll(() => {
  switchDirectIo(true)
})

describe.each(s3Servers)('$name', (server) => {
  test('gives the same bytes directly and by the streams of Node', async () => {
    const bytes = givenBytes(9 * MIB + 5)
    const longest: number[] = []
    for (const isDirect of [true, false]) {
      switchDirectIo(isDirect)
      const store = await givenS3Store(server, { directBytes })
      await givenObject(store, 'a', bytes)
      expectBytes(await readAll(store, 'a'), bytes)
      expectBytes(await readRange(store, 'a', 7, 5 * MIB), bytes.subarray(7, 7 + 5 * MIB))
      expectBytes(await readRange(store, 'a', 8 * MIB, 9), bytes.subarray(8 * MIB, 8 * MIB + 9))
      const lengths: number[] = []
      for await (const chunk of await store.read('a')) lengths.push(chunk.length)
      longest.push(Math.max(...lengths))
      for await (const chunk of await store.read('a')) if (chunk.length > 0) break
      expectBytes(await readAll(store, 'a'), bytes)
      await store.close()
    }
    expect(longest[0]).toBe(MIB)
    expect(longest[1]).toBeLessThanOrEqual(64 * 1024)
  })
})

test('npm test brings two independent servers', () => {
  expect([0, 2]).toContain(s3Servers.length)
})
