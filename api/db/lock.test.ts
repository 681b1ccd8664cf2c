import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DataDirTaken, lockDataDir } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'arsenal-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a data folder has one holder, and is free the moment it is given back', async () => {
  for (let round = 0; round < 20; round++) {
    const unlock = await lockDataDir(folder)
    if (round % 10 === 0) await expect(lockDataDir(folder)).rejects.toThrow(DataDirTaken)
    await unlock()
  }
})
