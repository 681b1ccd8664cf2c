/*
 * Writers of xorbs and shards, for tests: honest ones of every shape that the clients send (`givenXorb`, `givenFile`,
 * `givenShard`), and the parts to lie with (`rawChunk`, `lz4FrameOf`, `givenFooter`, and any field of a `GivenShard`).
 *
 *   const xorb = givenXorb([{ plain, scheme: 1 }, { plain: other }])
 *   const file = givenFile([{ xorb, start: 0, end: 2 }])
 *   const shard = givenShard({ files: [file], xorbs: [givenXorbRecord(xorb)], tail: 'footer' })
 *   // POST xorb.body as hashText(xorb.index.hash), then shard; file.plain is what a download must give.
 */
export { lz4BlockWord, lz4Frame, lz4FrameOf, lz4Sequence, type Lz4Options } from './testing/lz4.ts'
export { Random, seededHash, splitMix64 } from './testing/random.ts'
export { givenFile, givenShard, givenXorbRecord } from './testing/shard.ts'
export type { GivenFile, GivenShard, GivenXorbRecord } from './testing/shard.ts'
export { givenChunk, givenFooter, givenXorb, group, rawChunk, u32s } from './testing/xorb.ts'
export type { GivenChunk, GivenXorb } from './testing/xorb.ts'
