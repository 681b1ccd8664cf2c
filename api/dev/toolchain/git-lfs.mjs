// The large-file client of git, for the tests with real git.
import { join } from 'node:path'
import { run, SetupError } from '../run.mjs'
import { aptInstall } from './apt.mjs'
import { cached } from './cache.mjs'
import { installGo, requireGo } from './go.mjs'

const isThere = async () =>
  (await run('git', ['lfs', 'version'], { quiet: true }).catch(() => ({ status: 1 }))).status === 0

/** Makes sure that git finds git-lfs; installs Debian's when it does not. */
export async function ensureGitLfs() {
  if (await isThere()) return
  await aptInstall(['git-lfs'])
  if (!(await isThere())) throw new SetupError('apt-get installed git-lfs, yet git does not find it')
}

const serverTestVersion = 'v3.7.1'

/** The test that the makers of git-lfs have for servers; answers the program. */
export async function ensureLfsServerTest() {
  const folder = await cached(`git-lfs-server-test-${serverTestVersion}`, async (made) => {
    await requireGo("the tests build git-lfs' own test of servers, which")
    const program = `github.com/git-lfs/git-lfs/v3/t/git-lfs-test-server-api@${serverTestVersion}`
    await installGo(program, made)
  })
  return join(folder, 'git-lfs-test-server-api')
}
