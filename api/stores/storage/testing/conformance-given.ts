import { expect } from 'vitest'
import type { BlobStore, ByteSource } from '../blob-store.ts'
import { collect, fromChunks } from '../bytes.ts'
import type { StoreErrorKind } from '../store-error.ts'

/** Titles and bodies of the promises every blob store keeps; each body leaves the store empty. */
export type Cases = Record<string, (store: BlobStore) => Promise<void>>

export const MIB = 1024 * 1024

/** Bytes that differ from place to place and from seed to seed. */
export function givenBytes(sizeBytes: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes)
  let state = seed
  for (let at = 0; at < sizeBytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
    bytes[at] = state >>> 16
  }
  return bytes
}

export async function givenObject(
  store: BlobStore,
  key: string,
  bytes: Uint8Array = givenBytes(10),
): Promise<Buffer> {
  await store.put(key, fromChunks(bytes))
  return Buffer.from(bytes)
}

/** A source that yields its chunks, then fails with `error`, or goes silent until it is cancelled. */
export function givenTroubledSource(
  chunks: Uint8Array[],
  error?: Error,
): ByteSource & { isClosed: () => boolean } {
  let isClosed = false
  const queue = [...chunks]
  return {
    isClosed: () => isClosed,
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const value = queue.shift()
        if (value) return Promise.resolve({ value, done: false })
        return error ? Promise.reject(error) : new Promise(() => undefined)
      },
      return: () => {
        isClosed = true
        return Promise.resolve({ value: undefined, done: true })
      },
    }),
  }
}

export async function readAll(store: BlobStore, key: string): Promise<Buffer> {
  return collect(await store.read(key), 64 * MIB)
}

export async function readRange(
  store: BlobStore,
  key: string,
  offset: number,
  length: number,
): Promise<Buffer> {
  return collect(await store.read(key, { offset, length }), 64 * MIB)
}

export async function listKeys(store: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}

export async function deleteAll(store: BlobStore): Promise<void> {
  for (const key of await listKeys(store, '')) await store.delete(key)
}

export async function expectKind(promise: Promise<unknown>, kind: StoreErrorKind): Promise<void> {
  await expect(promise).rejects.toMatchObject({ name: 'StoreError', kind })
}

/** Compares large buffers, of which a matcher would make a text. */
export function expectBytes(actual: Buffer, expected: Buffer): void {
  expect(actual.length).toBe(expected.length)
  expect(actual.equals(expected)).toBe(true)
}
