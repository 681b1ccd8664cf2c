// npm run seed: example content, through the same HTTP operations that everyone uses; a second run adds nothing.
//   --data <folder>                 a data folder of `npm start` whose server is stopped (default .arsenal); also makes
//                                   the users alice and bob. `--set key=value` as for the server.
//   --url <address> --token <token> a running server; everything belongs to the token's owner
import { parseArgs } from 'node:util'
import { createClient } from '../../shared/client.ts'
import { bootstrapAdmin } from '../rooms/auth/index.ts'
import { CommandFailure, configOf } from '../app/cli/command.ts'
import { closeDeps, openDeps } from '../app/cli/stores.ts'
import { loggerOf } from '../app/cli/telemetry.ts'
import { lockPlace } from '../stores/db/index.ts'
import { applySeed } from './seeding/apply.ts'
import { openSeeders, seedPeople } from './seeding/people.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function seedServer(baseUrl: string, token: string): Promise<void> {
  const client = createClient({ baseUrl, token })
  const me = await client.getMe()
  if (!me) throw new CommandFailure('The token belongs to no user.')
  const headers = { authorization: `Bearer ${token}` }
  await applySeed({ alice: { username: me.username, client, fetch, headers } }, say)
}

async function seedFolder(folder: string, set: string[]): Promise<void> {
  const quiet = ['telemetry.log_level=warn', ...set]
  const shell = { env: process.env, out: say, err: (text: string) => process.stderr.write(text) }
  const config = configOf({ values: { 'quick-start': folder, set: quiet }, positionals: [] }, shell)
  const unlock = await lockPlace({ dataDir: config.server.data_dir, dsn: config.database.dsn })
  const deps = await openDeps(config, loggerOf(config))
  try {
    await deps.git.prepare()
    const admin = await bootstrapAdmin(deps)
    const passwords = await seedPeople(deps)
    await applySeed(await openSeeders(deps, passwords), say)
    for (const [username, password] of Object.entries(passwords)) say(`${username}: ${password}`)
    say(`${admin.username}: ${admin.passwordFile ?? '(the password you configured)'}`)
  } finally {
    await closeDeps(deps)
    await unlock()
  }
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    data: { type: 'string', default: '.arsenal' },
    set: { type: 'string', multiple: true, default: [] },
  },
})
try {
  if (values.url === undefined) await seedFolder(values.data, values.set)
  else await seedServer(values.url, values.token ?? process.env['HF_TOKEN'] ?? '')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
