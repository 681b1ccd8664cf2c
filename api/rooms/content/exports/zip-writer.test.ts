import { execFile } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromChunks, type ByteSource } from '../../../stores/storage/index.ts'
import { readStrictly } from '../testing/strict-zip.ts'
import { zip, zipSizeBytes, type ZipEntry } from './zip-writer.ts'

const run = promisify(execFile)
const now = new Date('2026-03-01T12:30:10.000Z')

const bytes = (text: string) => Buffer.from(text)
const zeros = Buffer.alloc(2 ** 26)

const entry = (name: string, text: string, isExecutable = false): ZipEntry => ({
  name,
  sizeBytes: Buffer.byteLength(text),
  isExecutable,
  open: async () => fromChunks(Buffer.from(text)),
})

async function bytesOf(source: ByteSource): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('zip', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arsenal-zip-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  /** Writes an archive of the length that was announced, its zeros as holes. */
  async function written(entries: ZipEntry[]): Promise<string> {
    const path = join(dir, 'a.zip')
    const file = openSync(path, 'w')
    let at = 0
    let small: Uint8Array[] = []
    const flush = () => {
      const bytes = Buffer.concat(small)
      writeSync(file, bytes, 0, bytes.length, at)
      at += bytes.length
      small = []
    }
    for await (const chunk of zip(entries, now)) {
      if (chunk !== zeros) small.push(chunk)
      if (chunk === zeros || small.length > 10_000) flush()
      if (chunk === zeros) at += zeros.length
    }
    flush()
    closeSync(file)
    expect(at).toBe(zipSizeBytes(entries))
    return path
  }

  /** Python's own reader checks the CRCs of `names`, all unless they are given, and prints name, size, time and mode. */
  async function pythonReads(path: string, names?: string[]): Promise<unknown> {
    const script =
      'import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nfor n in sys.argv[2:] or z.namelist(): z.read(n)\n' +
      'print(json.dumps([[i.filename,i.file_size,list(i.date_time),oct(i.external_attr>>16)] for i in z.infolist()]))'
    const { stdout } = await run('python3', ['-c', script, path, ...(names ?? [])], { maxBuffer: 2 ** 27 })
    return JSON.parse(stdout)
  }

  test('other readers find every file, with its time, mode and checksum', async () => {
    const entries = [
      entry('m/README.md', '# Hi\n'),
      entry('m/ü ß.txt', ''),
      entry('m/run.sh', '#!/bin/sh\n', true),
      { ...entry('m/chunks', 'abcdef'), open: async () => fromChunks(...['ab', 'cde', 'f'].map(bytes)) },
    ]
    const path = await written(entries)
    const time = [2026, 3, 1, 12, 30, 10]
    expect(await pythonReads(path)).toEqual([
      ['m/README.md', 5, time, '0o100644'],
      ['m/ü ß.txt', 0, time, '0o100644'],
      ['m/run.sh', 10, time, '0o100755'],
      ['m/chunks', 6, time, '0o100644'],
    ])
    expect(readStrictly(path)).toMatchObject(
      entries.map(({ name, sizeBytes, isExecutable }) => ({
        name,
        sizeBytes,
        mode: isExecutable ? 0o100755 : 0o100644,
      })),
    )
  })

  test('more files than 16 bits count', async () => {
    const path = await written(Array.from({ length: 65_600 }, (_, i) => entry(`f${i}`, '')))
    expect(await pythonReads(path, ['f0', 'f65599'])).toHaveLength(65_600)
    expect(readStrictly(path)).toHaveLength(65_600)
  })

  test('files and offsets beyond 4 GiB are counted in 64 bits', async () => {
    const last = Buffer.from('the end')
    const large: ZipEntry = {
      name: 'w.bin',
      sizeBytes: 2 ** 32 + last.length,
      isExecutable: false,
      open: async () => fromChunks(...Array.from({ length: 2 ** 32 / zeros.length }, () => zeros), last),
    }
    const path = await written([entry('first', 'at 0'), large, entry('x', 'beyond')])
    const files = readStrictly(path)
    expect(files).toMatchObject([
      { name: 'first', sizeBytes: 4 },
      // As Python's zlib.crc32 has it.
      { name: 'w.bin', sizeBytes: large.sizeBytes, crc: 2_550_078_406 },
      { name: 'x', sizeBytes: 6 },
    ])
    const said = (await pythonReads(path, ['first', 'x'])) as [string, number][]
    expect(said.map(([name, sizeBytes]) => [name, sizeBytes])).toEqual([
      ['first', 4],
      ['w.bin', large.sizeBytes],
      ['x', 6],
    ])
  })

  test('a file of another length than declared ends the archive with an error', async () => {
    const short = { ...entry('a', 'abc'), sizeBytes: 4 }
    await expect(bytesOf(zip([short], now))).rejects.toThrow('not the 4 bytes')
  })
})
