import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskFaults } from '../../platform/config/index.ts'
import { lockPlace } from '../../stores/db/index.ts'
import { silentLogger } from '../../platform/telemetry/index.ts'
import { testConfig } from '../../testing.ts'
import { closeDeps, openDeps } from './stores.ts'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('the data folder and what lies in it are for their owner alone, whatever the umask', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'arsenal-stores-'))
  const before = process.umask(0)
  try {
    const dir = join(parent, 'data')
    const config = testConfig(dir)
    expect(await diskFaults(config)).toEqual([])
    const unlock = await lockPlace({ dataDir: dir, dsn: config.database.dsn })
    const deps = await openDeps(config, silentLogger())
    await deps.db.check()
    expect(await modeOf(dir)).toBe('700')
    for (const name of ['test.db', 'test.db-wal', 'test.db-shm', 'secrets.yaml'])
      expect([name, await modeOf(join(dir, name))]).toEqual([name, '600'])
    await closeDeps(deps)
    await unlock()
  } finally {
    process.umask(before)
    await rm(parent, { recursive: true })
  }
})
