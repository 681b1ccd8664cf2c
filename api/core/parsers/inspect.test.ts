import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  bytesReader,
  FileFailure,
  fileReader,
  FileThreads,
  formatOf,
  inspect,
  PARSER_VERSION,
  sourceReader,
} from './index.ts'
import { safetensorsFile } from './testing/samples.ts'

const file = safetensorsFile({ a: { dtype: 'U8', shape: [3], data_offsets: [0, 3] } }, Buffer.alloc(3))
const path = 'model.safetensors'

test('a file in memory, on disk and in a store says the same', async () => {
  const stored = join(await mkdtemp(join(tmpdir(), 'parsers-')), 'x')
  await writeFile(stored, file)
  const onDisk = await fileReader(stored)
  const store = sourceReader(file.length, async ({ offset, length }) =>
    (async function* () {
      for (const byte of file.subarray(offset, offset + length)) yield Buffer.from([byte])
    })(),
  )
  const all = await Promise.all([bytesReader(file), onDisk, store].map((reader) => inspect({ path }, reader)))
  await onDisk.close()
  expect(all[0]).toMatchObject({ format: 'safetensors', parameters: 3 })
  expect(all[1]).toEqual(all[0])
  expect(all[2]).toEqual(all[0])
})

test('facts are kept by content, version and format of the path', () => {
  expect(PARSER_VERSION).toBeGreaterThan(0)
  expect(
    ['a/B.SAFETENSORS', 'x.gguf', 'a/config.json', 'model.safetensors.index.json', 'a.txt'].map(formatOf),
  ).toEqual(['safetensors', 'gguf', 'config', 'safetensors-index', undefined])
})

test('a file without a parser says nothing', async () => {
  expect(await inspect({ path: 'README.txt' }, bytesReader(file))).toBeUndefined()
})

test('the error of a store comes through, and the next file is read', async () => {
  const broken = { sizeBytes: 99, read: () => Promise.reject(new Error('the store is away')) }
  await expect(inspect({ path }, broken)).rejects.toThrow('the store is away')
  expect(await inspect({ path }, bytesReader(file))).toMatchObject({ parameters: 3 })
})

test('a cancel ends a file whose bytes never come', async () => {
  const cancel = new AbortController()
  const silent = {
    sizeBytes: 99,
    read: () => {
      cancel.abort(new Error('cancelled'))
      return new Promise<never>(() => undefined)
    },
  }
  await expect(inspect({ path }, silent, cancel.signal)).rejects.toThrow('cancelled')
})

test('a file beyond its time or memory fails alone', async () => {
  const entry = new URL('./inspect.worker.ts', import.meta.url)
  const hasty = new FileThreads(entry, { threads: 1, deadlineMs: 300, memoryMb: 64 })
  const silent = { sizeBytes: 99, read: () => new Promise<never>(() => undefined) }
  const late = await hasty.run({ path }, silent).catch((error: unknown) => error)
  expect(late).toBeInstanceOf(FileFailure)
  expect(late).toMatchObject({ code: 'resource_limit' })
  await hasty.close()
  const narrow = new FileThreads(entry, { threads: 1, deadlineMs: 60_000, memoryMb: 16 })
  const tensors = Array.from(
    { length: 400_000 },
    (_, i) => `"t${i}":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`,
  )
  const bomb = safetensorsFile(`{${tensors.join(',')}}`)
  await expect(narrow.run({ path }, bytesReader(bomb))).rejects.toMatchObject({ code: 'resource_limit' })
  expect(await narrow.run({ path }, bytesReader(file))).toMatchObject({ parameters: 3 })
  await narrow.close()
})
