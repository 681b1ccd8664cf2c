// Real git, git-lfs and third-party clients against the built server: clone, fetch, push, refusals, races and
// kills. Then again with a newer git, on both sides.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureGitClients } from '../../api/dev/toolchain/git-clients.mjs'
import { ensureLfsServerTest } from '../../api/dev/toolchain/git-lfs.mjs'
import { ensureNewerGit } from '../../api/dev/toolchain/newer-git.mjs'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'

const env = {
  ...process.env,
  ARSENAL_GIT_CLIENTS: JSON.stringify(await ensureGitClients()),
  ARSENAL_LFS_SERVER_TEST: await ensureLfsServerTest(),
  ARSENAL_HF: join((await ensurePython()).a, '..', 'hf'),
}

await runSuites([
  'fetch',
  'push',
  'refusals',
  'lfs',
  'lfs-server-test',
  'netrc',
  'single-name',
  'races',
  'clients',
])
const newerGit = await ensureNewerGit()
if (newerGit) await runSuites(['fetch', 'push'], { PATH: `${newerGit}${delimiter}${process.env.PATH}` })

async function runSuites(names, more = {}) {
  const files = names.map((name) => fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)))
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
    stdio: 'inherit',
    env: { ...env, ...more },
  })
  const [code] = await once(child, 'exit')
  process.exitCode ||= code ?? 1
}
