import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bytesReader, FileThreads } from '../parsers/index.ts'
import { scan, SCANNER_VERSION } from './index.ts'
import { call, pickle } from './testing/pickles.ts'
import { zipOf } from './testing/zips.ts'

const evil = call('os', 'system')

test('a file is scanned in a thread, and judged', async () => {
  expect(await scan({ path: 'x.pkl' }, bytesReader(evil))).toMatchObject({
    status: 'unsafe',
    isChecked: true,
    scanner: `arsenal-scan/${SCANNER_VERSION}`,
  })
  const estimator = bytesReader(call('sklearn.svm', 'SVC'))
  expect(await scan({ path: 'x.pkl' }, estimator)).toMatchObject({ status: 'suspicious' })
})

test('a cancel ends a scan', async () => {
  const cancel = new AbortController()
  const silent = {
    sizeBytes: 99,
    read: () => {
      cancel.abort(new Error('cancelled'))
      return new Promise<never>(() => undefined)
    },
  }
  await expect(scan({ path: 'x.pkl' }, silent, cancel.signal)).rejects.toThrow('cancelled')
})

test('a thread without memory fails its file alone', async () => {
  const limits = { threads: 1, deadlineMs: 120_000, memoryMb: 16 }
  const narrow = new FileThreads(new URL('./scan.worker.ts', import.meta.url), limits)
  // A million texts in the memo.
  const many = Buffer.alloc(3_000_000, ']\x94K\x01a'.slice(0, 2), 'latin1')
  const bomb = pickle('\x80\x04', many, '.')
  await expect(narrow.run({ path: 'x.pkl' }, bytesReader(bomb))).rejects.toMatchObject({
    code: 'resource_limit',
  })
  expect(await narrow.run({ path: 'x.pkl' }, bytesReader(evil))).toMatchObject({ status: 'unsafe' })
  await narrow.close()
})

test.each<[string, string, Buffer, string]>([
  [
    'archives in archives',
    'x.zip',
    Array.from({ length: 40 }).reduce<Buffer>(
      (inner) => zipOf([{ name: 'x.zip', bytes: inner, isPacked: true }]),
      evil,
    ),
    'scan_incomplete',
  ],
  [
    'fifty million values in 50 KB',
    'x.pkl.gz',
    gzipSync(pickle('\x80\x04', Buffer.alloc(50_000_000, 'N'), '.')),
    'pickle_limit',
  ],
  [
    'eleven million opcodes',
    'x.pkl',
    pickle('\x80\x04', Buffer.alloc(11_000_000, 'N0'), '.'),
    'pickle_limit',
  ],
  [
    'more memo than is kept',
    'x.pkl',
    pickle('\x80\x04', Buffer.alloc(2_400_000, 'N\x94', 'latin1'), '.'),
    'pickle_limit',
  ],
])('%s come to an end and are not safe', async (_, path, content, code) => {
  const found = await scan({ path }, bytesReader(content))
  expect(found.status).not.toBe('safe')
  expect(found.problems.map((problem) => problem.code)).toContain(code)
})
