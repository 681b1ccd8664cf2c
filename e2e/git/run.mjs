// Real git, git-lfs and other people's clients against the built server: clone, fetch, push, what is refused, who meets
// whom, what is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureGitClients } from '../../api/dev/toolchain/git-clients.mjs'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'

const suites = ['fetch', 'push', 'refusals', 'lfs', 'races', 'clients'].map((name) =>
  fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)),
)
const env = {
  ...process.env,
  ARSENAL_GIT_CLIENTS: JSON.stringify(await ensureGitClients()),
  ARSENAL_HF: join((await ensurePython()).a, '..', 'hf'),
}
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...suites], {
  stdio: 'inherit',
  env,
})
const [code] = await once(child, 'exit')
process.exitCode = code ?? 1
