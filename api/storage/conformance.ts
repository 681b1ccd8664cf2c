import { describe, expect, test } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import type { Cases } from './conformance-given.ts'
import { keyCases } from './conformance-keys.ts'
import { multipartCases } from './conformance-multipart.ts'
import { putCases } from './conformance-put.ts'
import { readCases } from './conformance-read.ts'

/**
 * The contract of `BlobStore` as tests. `open` gives an empty store for each; `skip` names a case that cannot hold
 * for this store and says why.
 */
export function blobStoreSuite(
  name: string,
  open: () => Promise<BlobStore>,
  skip: Record<string, string> = {},
) {
  const cases: Cases = { ...putCases, ...keyCases, ...readCases, ...multipartCases }
  describe(`blob store: ${name}`, () => {
    test('every skipped case exists and has a reason', () => {
      for (const [title, reason] of Object.entries(skip)) {
        expect(Object.keys(cases)).toContain(title)
        expect(reason).not.toBe('')
      }
    })
    for (const [title, body] of Object.entries(cases))
      test.skipIf(title in skip)(title, async () => {
        const store = await open()
        try {
          await body(store)
          for await (const { key } of store.list('')) expect.fail(`left behind: ${key}`)
        } finally {
          await store.close()
        }
      })
  })
}
