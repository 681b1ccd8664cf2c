import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { CHUNK_BYTES } from '../../../stores/storage/index.ts'
import { weighPack } from './weigh-pack.ts'

/** What the thread is asked: a pack's file, and what it may inflate to. */
export interface WeighOrder {
  path: string
  maxBytes: number
}

// The starter of the thread gives it this and nothing else.
const { path, maxBytes } = workerData as WeighOrder
parentPort?.postMessage(await weighPack(createReadStream(path, { highWaterMark: CHUNK_BYTES }), maxBytes))
