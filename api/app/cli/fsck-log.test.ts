import { mkdtempSync, rmSync } from 'node:fs'
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

test('a run that is to go on leaves out what was looked at, and keeps its errors', () => {
  const first = FsckLog.open(dir, options, false)
  first.countError()
  first.done('git')
  const second = FsckLog.open(dir, options, true)
  expect(second.isDone('git')).toBe(true)
  expect(second.isDone('lfs')).toBe(false)
  expect(second.errors).toBe(1)
  second.remove()
  expect(FsckLog.open(dir, options, true).isDone('git')).toBe(false)
})

test('another run begins at the start', () => {
  FsckLog.open(dir, options, false).done('git')
  expect(FsckLog.open(dir, { ...options, deep: false }, true).isDone('git')).toBe(false)
  expect(FsckLog.open(dir, options, false).isDone('git')).toBe(false)
})
