import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../blob-store.ts'
import type { Cases } from './conformance-given.ts'
import { keyCases } from './conformance-keys.ts'
import { putCases } from './conformance-put.ts'
import { readCases } from './conformance-read.ts'

interface Differences {
  /** Cases of what this store can do besides. */
  more?: Cases
  /** Cases that cannot hold for this store as what it does in their place. */
  instead?: Cases | undefined
}

/** The contract of `BlobStore` as tests. `open` gives an empty store for each. */
export function blobStoreSuite(
  name: string,
  open: () => Promise<BlobStore>,
  { more = {}, instead = {} }: Differences = {},
) {
  const contract: Cases = { ...putCases, ...keyCases, ...readCases, ...more }
  describe(`blob store: ${name}`, () => {
    test('what a store does differently are cases of the contract', () => {
      expect(Object.keys(contract)).toEqual(expect.arrayContaining(Object.keys(instead)))
    })
    for (const [title, body] of Object.entries({ ...contract, ...instead }))
      test(title, async () => {
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
