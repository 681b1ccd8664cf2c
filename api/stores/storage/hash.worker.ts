import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { Slab } from '../../platform/direct-io/index.ts'

export type HashAlgorithm = 'sha256' | 'sha1'

/** A stream begins (`algorithm`), bytes of it come, it ends, it is dropped. */
export type Order = { id: number } & (
  | { algorithm: HashAlgorithm }
  | { bytes: Slab }
  | { isEnd: true }
  | { isDropped: true }
)

/** The oldest bytes are hashed, or the digest. */
export interface Answer {
  id: number
  hex?: string
}

const streams = new Map<number, Hash>()
const answer = (message: Answer) => parentPort?.postMessage(message)

parentPort?.on('message', (order: Order) => {
  const { id } = order
  if ('algorithm' in order) streams.set(id, createHash(order.algorithm))
  else if ('bytes' in order) {
    streams.get(id)?.update(order.bytes)
    answer({ id })
  } else {
    if ('isEnd' in order) answer({ id, hex: streams.get(id)?.digest('hex') ?? '' })
    streams.delete(id)
  }
})
