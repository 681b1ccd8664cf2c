import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FsckLog } from './fsck-log.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arsenal-fsck-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))
const options = { deep: true, repair: false }
const open = (isResumed: boolean, more = {}, warn = (_text: string) => {}) =>
  FsckLog.open(dir, { ...options, ...more }, { isResumed, warn })

test('a run that is to go on leaves out what was looked at, and keeps its errors', () => {
  const first = open(false)
  first.countError()
  first.done('git')
  const second = open(true)
  expect(second.isDone('git')).toBe(true)
  expect(second.isDone('lfs')).toBe(false)
  expect(second.errors).toBe(1)
  second.remove()
  expect(open(true).isDone('git')).toBe(false)
})

test('another run begins at the start', () => {
  open(false).done('git')
  expect(open(true, { deep: false }).isDone('git')).toBe(false)
  expect(open(false).isDone('git')).toBe(false)
})

test('a log that cannot be written is said once, and the check goes on', () => {
  // A folder where the draft would be: writing fails, also for root.
  mkdirSync(join(dir, 'fsck.json.new', 'x'), { recursive: true })
  const warnings: string[] = []
  const log = open(false, {}, (text) => warnings.push(text))
  log.done('git')
  log.done('lfs')
  expect(log.isDone('lfs')).toBe(true)
  expect(warnings).toEqual([expect.stringMatching(/^The progress of this check cannot be saved.*EISDIR/)])
})
