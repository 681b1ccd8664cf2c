// Says what `arsenal fsck --deep` would of one data folder after the other, as the parent asks.
import { join } from 'node:path'
import { configOf } from '../../api/app/cli/command.ts'
import { closeDeps, openDeps } from '../../api/app/cli/stores.ts'
import { checks } from '../../api/app/housekeeping.ts'
import { silentLogger } from '../../api/platform/telemetry/index.ts'

const shell = { env: {}, out: () => undefined, err: (text: string) => process.stderr.write(text) }

/** The folder's database, blobs and cache are where the server of the tests has them. */
async function damage(folder: string): Promise<string[]> {
  const set = [
    'server.public_url=http://127.0.0.1',
    `server.data_dir=${folder}`,
    `database.dsn=${join(folder, 'service.db')}`,
    `storage.fs.path=${join(folder, 'blobs')}`,
    `git.cache_dir=${join(folder, 'cache', 'git')}`,
  ]
  const deps = await openDeps(configOf({ values: { set }, positionals: [] }, shell), silentLogger())
  try {
    const found: string[] = []
    for (const check of checks)
      for await (const finding of check.run(deps, { deep: true, repair: false }))
        if (finding.severity === 'error') found.push(`${finding.check}: ${finding.message}`)
    return found
  } finally {
    await closeDeps(deps)
  }
}

process.on('message', ({ folder }: { folder: string }) => {
  damage(folder).then(
    (found) => process.send?.({ folder, found }),
    (error: unknown) => process.send?.({ folder, found: [String(error)] }),
  )
})
process.on('disconnect', () => process.exit(0))
