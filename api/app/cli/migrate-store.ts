import { migrateStore } from '../../rooms/backup/index.ts'
import { lockPlace, PlaceTaken } from '../../stores/db/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { asServer } from './as-server.ts'
import { configOf, type Command } from './command.ts'
import { progressOf, size, withPlace } from './place.ts'
import { counted, jsonOption } from './table.ts'

/** Whether no server can have written meanwhile; Postgres does not tell. */
async function isAlone({ server, database }: Config): Promise<boolean> {
  if (database.driver !== 'sqlite') return false
  try {
    const unlock = await lockPlace({ dataDir: server.data_dir, dsn: database.dsn })
    await unlock()
    return true
  } catch (error) {
    if (error instanceof PlaceTaken) return false
    throw error
  }
}

export const migrateStoreCommand: Command = {
  usage: '--to <folder|s3://bucket/prefix> [--json]',
  summary:
    'Copy all stored bytes to another store, from a folder to a bucket or back, beside a running server',
  options: { to: { type: 'string' }, ...jsonOption },
  async run(args, shell) {
    const config = configOf(args, shell)
    const alone = await isAlone(config)
    let damaged = 0
    const status = await asServer(args, shell, (ctx) =>
      withPlace(args, { flag: 'to', config, shell }, async (to) => {
        const done = await migrateStore(ctx, to, progressOf(shell))
        damaged = done.damaged.length
        for (const { key, message } of done.damaged) shell.err(`Not copied: ${key}: ${message}\n`)
        if (args.values['json']) return shell.out(`${JSON.stringify({ ...done, server_stopped: alone })}\n`)
        shell.out(`Copied ${counted(done.copied, 'object')}, ${size(done.bytes)}; `)
        shell.out(`the new store has ${counted(done.objects, 'object')}.\n`)
        shell.out(
          alone
            ? 'No server was running: set storage.* to the new store and start the server.\n'
            : 'Now stop every server, run this command once more, set storage.* to the new store and start again.\n',
        )
      }),
    )
    return damaged > 0 ? 1 : status
  },
}
