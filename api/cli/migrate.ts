import { openDb } from '../db/index.ts'
import { configOf, type Command } from './command.ts'

export const migrate: Command = {
  summary: 'Bring the database up to date; `serve` does so by itself',
  async run(args, shell) {
    const config = configOf(args, shell)
    const db = await openDb(config.database)
    await db.close()
    shell.out(`The ${config.database.driver} database is up to date.\n`)
    return 0
  },
}
