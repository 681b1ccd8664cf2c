// Both databases, each with a data folder of its own.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '../../api/dev/toolchain/postgres.mjs'

/** `settings` and `options` are what `startServer` takes; `url` is what a driver opens while no server runs. */
export async function* onEngines(dir) {
  const quiet = { 'telemetry.log_level': 'warn' }
  const lite = join(dir, 'sqlite')
  await mkdir(lite, { recursive: true })
  yield {
    name: 'SQLite',
    engine: 'sqlite',
    settings: quiet,
    options: { dir: lite },
    url: join(lite, 'service.db'),
  }
  const folder = join(dir, 'postgres')
  await mkdir(folder, { recursive: true })
  const postgres = await startPostgres({ isDurable: true })
  const more = { ...quiet, 'database.driver': 'postgres', 'database.dsn': postgres.url }
  try {
    yield {
      name: 'Postgres',
      engine: 'postgres',
      settings: more,
      options: { dir: folder },
      url: postgres.url,
    }
  } finally {
    await postgres.stop()
  }
}
