import { expect, test } from 'vitest'
import type { FileScan } from './queries.ts'
import { wordsOf } from './words.ts'

const scan = (more: Partial<FileScan>): FileScan => ({
  path: 'a',
  commit: 'c',
  status: 'safe',
  scanner: 'arsenal-scan/2',
  checked: true,
  imports: [],
  problems: [],
  ...more,
})
const code = [{ code: 'custom_code', message: 'The file is Python code.', severity: 'info' as const }]

test.each<[Partial<FileScan>, string]>([
  [{ status: 'unsafe' }, 'Unsafe: loading this file can run code'],
  [{ status: 'suspicious' }, 'Suspicious: it is not known what loading this file runs'],
  [{ status: 'failed' }, 'The scan of this file failed'],
  [{ status: 'pending', job: 'queued' }, 'Waiting to be scanned'],
  [{ status: 'pending', job: 'running' }, 'Being scanned'],
  [{ status: 'pending' }, 'Not scanned yet'],
  [{ problems: code }, 'This is code'],
  [{ status: 'suspicious', problems: code }, 'Suspicious: it is not known what loading this file runs'],
  [{ checked: false }, 'Not checked'],
  [{}, 'Nothing unsafe was found'],
])('%j is called %s', (more, title) => {
  expect(wordsOf(scan(more)).title).toBe(title)
})
