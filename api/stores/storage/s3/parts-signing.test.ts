import { expect, test } from 'vitest'
import { s3Options } from '../testing/s3-servers.ts'
import { S3Bucket } from './bucket.ts'
import { signedParts } from './parts-signing.ts'

test('while the addresses of many parts are signed, others have their turn', async () => {
  const bucket = new S3Bucket(s3Options('http://127.0.0.1:9'))
  const target = { ...bucket.at('a'), UploadId: 'upload' }
  const partsOf = (count: number) => signedParts(bucket.client, target, count, 60)
  await partsOf(1)
  let turns = 0
  let isDone = false
  const watch = () => {
    turns++
    if (!isDone) setImmediate(watch)
  }
  const turnsOf = async (count: number) => {
    turns = 0
    const urls = await partsOf(count)
    expect(new Set(urls).size).toBe(count)
    return turns
  }
  setImmediate(watch)
  const few = await turnsOf(400)
  expect(await turnsOf(4400)).toBeGreaterThanOrEqual(few + 7)
  isDone = true
  bucket.close()
})
