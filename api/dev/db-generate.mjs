// npm run db:generate -- --name add_something: writes one migration for each engine from the tables as they are now.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { main, must, root, SetupError } from './run.mjs'

await main(async () => {
  const { values } = parseArgs({ options: { name: { type: 'string' }, custom: { type: 'boolean' } } })
  if (!/^[a-z0-9]+(_[a-z0-9]+)+$/.test(values.name ?? ''))
    throw new SetupError(
      'Name the change in words, such as --name add_repo_redirects; --custom for SQL by hand.',
    )
  const flags = ['--name', values.name, ...(values.custom ? ['--custom'] : [])]
  for (const engine of ['sqlite', 'postgres']) {
    await must('node_modules/.bin/drizzle-kit', [
      'generate',
      '--config',
      `drizzle/${engine}.config.ts`,
      ...flags,
    ])
    keepNewestSnapshot(join(root, 'drizzle', engine, 'meta'))
  }
})

/** The next migration is made of the newest alone, and each has 7 000 lines. */
function keepNewestSnapshot(folder) {
  const snapshots = readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'))
  for (const name of snapshots.toSorted().slice(0, -1)) rmSync(join(folder, name))
}
