import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromChunks, type ByteSource } from '../storage/index.ts'
import { zip, zipSizeBytes, type ZipEntry } from './zip-writer.ts'

const run = promisify(execFile)
const at = new Date('2026-03-01T12:30:10.000Z')

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

  /** Python's own reader checks every CRC and prints name, size, time and mode. */
  async function pythonReads(archive: Buffer): Promise<unknown> {
    const path = join(dir, 'a.zip')
    await writeFile(path, archive)
    const script =
      'import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
      'print(json.dumps([[i.filename,i.file_size,list(i.date_time),oct(i.external_attr>>16)] for i in z.infolist()]))'
    return JSON.parse((await run('python3', ['-c', script, path], { maxBuffer: 2 ** 27 })).stdout)
  }

  test('another reader finds every file, with its time and mode', async () => {
    const entries = [
      entry('m/README.md', '# Hi\n'),
      entry('m/ü ß.txt', ''),
      entry('m/run.sh', '#!/bin/sh\n', true),
    ]
    const archive = await bytesOf(zip(entries, at))
    expect(archive.length).toBe(zipSizeBytes(entries))
    const time = [2026, 3, 1, 12, 30, 10]
    expect(await pythonReads(archive)).toEqual([
      ['m/README.md', 5, time, '0o100644'],
      ['m/ü ß.txt', 0, time, '0o100644'],
      ['m/run.sh', 10, time, '0o100755'],
    ])
  })

  test('more files than 16 bits count', async () => {
    const entries = Array.from({ length: 65_600 }, (_, i) => entry(`f${i}`, ''))
    const archive = await bytesOf(zip(entries, at))
    expect(archive.length).toBe(zipSizeBytes(entries))
    expect(await pythonReads(archive)).toHaveLength(65_600)
  })

  test('files and offsets beyond 4 GiB are counted in 64 bits', () => {
    const large = { name: 'w.bin', sizeBytes: 5 * 2 ** 30 }
    const small = { name: 'x', sizeBytes: 1 }
    // 30 + name + extra 20, 24 descriptor · 30 + 1, 1 byte, 16 · 46 + name + 20 · 46 + 1 + 12 · 76 + 22
    const expected = 30 + 5 + 20 + large.sizeBytes + 24 + (31 + 1 + 16) + (46 + 5 + 20) + (46 + 1 + 12) + 98
    expect(zipSizeBytes([large, small])).toBe(expected)
  })

  test('a file of another length than declared ends the archive with an error', async () => {
    const short = { ...entry('a', 'abc'), sizeBytes: 4 }
    await expect(bytesOf(zip([short], at))).rejects.toThrow('not the 4 bytes')
  })
})
