import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TableTask } from './child/messages.ts'
import { Converter, type TimeLimits } from './converter.ts'
import { children, signalChildren } from './testing.ts'

/*
 * A child reads a pipe in place of a file: it works on as long as the other end stays open, and each child that comes so
 * far lets the next opening of that end succeed.
 */

let dir = ''
let pipe = ''
const ends: FileHandle[] = []
let opening: Promise<void> = Promise.resolve()

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-converter-'))
  pipe = join(dir, 'data.txt.gz')
  execFileSync('mkfifo', [pipe])
})

afterEach(async () => {
  // Both ends of its own: nothing waits for the other one any more.
  ends.push(await open(pipe, 'r+'))
  await opening
  for (const end of ends.splice(0)) await end.close()
  await rm(dir, { recursive: true })
  await vi.waitFor(async () => expect(await children()).toEqual([]), { timeout: 10_000 })
})

const converting = async (limits: TimeLimits) => {
  const folder = join(dir, 'split')
  await mkdir(folder)
  const converter = new Converter(dir, new AbortController().signal, limits)
  const task: TableTask = {
    kind: 'table',
    folder,
    builder: 'text',
    options: {},
    files: [{ name: 'data.txt.gz', path: pipe }],
    isGiven: false,
    maxBytes: 1 << 20,
    maxCellBytes: 1000,
  }
  return converter.table(task, {}).finally(() => converter.close())
}
const hour = 3_600_000

test('a conversion that goes on for ever ends at its limit, and says what to do', async () => {
  opening = open(pipe, 'w').then((end) => void ends.push(end))
  await expect(converting({ silenceMs: hour, taskMs: 3000 })).rejects.toMatchObject({
    code: 'JobManagerExceededMaximumDurationError',
    message:
      'The conversion of this split took more than 0.05 minutes. Upload its data as Parquet, which is shown without conversion.',
  })
})

test('a child that hangs is replaced once, and a second one fails the split with its reason', async () => {
  let hung = 0
  const hang = async () => {
    for (; hung < 2; hung++) {
      ends.push(await open(pipe, 'w'))
      await signalChildren('SIGSTOP')
    }
  }
  opening = hang()
  await expect(converting({ silenceMs: 3000, taskMs: hour })).rejects.toMatchObject({
    code: 'JobManagerCrashedError',
    message: expect.stringMatching(/ended twice without an answer.*Split large files or cells/) as string,
  })
  expect(hung).toBe(2)
})
