import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockPlace, PlaceTaken } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'arsenal-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const place = { dataDir: join(folder, 'one'), dsn: join(folder, 'one', 'service.db') }

test('a data folder has one holder, and is free the moment it is given back', async () => {
  for (let round = 0; round < 20; round++) {
    const unlock = await lockPlace(place)
    if (round % 10 === 0) {
      const other = { ...place, dsn: join(folder, 'other.db') }
      await expect(lockPlace(other)).rejects.toThrow(/data folder .*one; stop it/)
    }
    await unlock()
  }
})

test('a SQLite file has one server, whatever folder the second one has for its own', async () => {
  const unlock = await lockPlace(place)
  const other = { ...place, dataDir: join(folder, 'two') }
  await expect(lockPlace(other)).rejects.toThrow(PlaceTaken)
  await expect(lockPlace(other)).rejects.toThrow(/database .*service\.db; .*need database\.driver postgres/)
  await unlock()
  await (
    await lockPlace(other)
  )()
})
