import { mkdtemp, rm } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findBackup, restore, verifyBackup } from '../rooms/backup/index.ts'
import { listAllRepos } from '../rooms/repos/index.ts'
import { FsBlobStore, type BlobStore } from '../stores/storage/index.ts'
import { postgresUrl, releasePostgresDatabase, takeEmptyPostgresDatabase } from '../testing/postgres.ts'
import { testConfig } from '../testing.ts'
import { silentLogger } from '../platform/telemetry/index.ts'
import { schema } from './schema.ts'
import { checks } from './housekeeping.ts'
import { closeDeps, openDeps } from './cli/stores.ts'

const releases = fileURLToPath(new URL('../testing/releases/', import.meta.url))
const engines = postgresUrl ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)
const signal = new AbortController().signal
const report = () => undefined

// Each folder is a backup that the release made of `npm run seed`, named after the last migration of that release.
describe.each(readdirSync(releases))('data of the release with %s', (migration) => {
  let dir = ''
  let place: BlobStore
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arsenal-upgrade-'))
    place = await FsBlobStore.open({ path: join(releases, migration) })
  })
  afterEach(async () => {
    await place.close()
    await rm(dir, { recursive: true, force: true })
  })

  test.each(engines)('is upgraded on %s, and nothing is damaged', async (driver) => {
    const url = driver === 'postgres' ? await takeEmptyPostgresDatabase(postgresUrl ?? '') : ''
    try {
      const found = (await findBackup(place, undefined)) ?? expect.fail('no backup')
      expect(found.snapshot.migration).toBe(migration)
      for await (const fault of verifyBackup(place, found, { report, signal })) expect.fail(fault.message)
      const database = { driver, dsn: driver === 'sqlite' ? join(dir, 'service.db') : url }
      const config = testConfig(dir, { database })
      const blobs = await FsBlobStore.open({ path: config.storage.fs.path })
      await restore(place, found, { config, blobs, schema, report, signal })
      await blobs.close()
      const deps = await openDeps(config, silentLogger())
      const findings: unknown[] = []
      for (const check of checks)
        for await (const finding of check.run(deps, { deep: true, repair: false }))
          // What was due then is late by now, and secrets were sealed with a key that is no part of a backup.
          if (finding.severity === 'error' && !/\.(deadline|delivery|secret)$/.test(finding.check))
            findings.push(finding)
      expect(findings).toEqual([])
      const names = []
      for await (const { name } of listAllRepos(deps.db)) names.push(name)
      expect(names).toContain('tiny-bert')
      await closeDeps(deps)
    } finally {
      if (url) await releasePostgresDatabase(url)
    }
  })
})
