import { openDb } from '../../stores/db/index.ts'
import { configOf, type Command } from './command.ts'
import { schema } from '../schema.ts'

export const migrate: Command = {
  summary: 'Bring the database up to date; `serve` does so by itself',
  async run(args, shell) {
    const config = configOf(args, shell)
    const db = await openDb(config.database, schema)
    await db.close()
    shell.out(`The ${config.database.driver} database is up to date.\n`)
    return 0
  },
}
