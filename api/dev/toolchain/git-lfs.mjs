// The large-file client of git, for the tests with real git.
import { run, SetupError } from '../run.mjs'
import { aptInstall } from './apt.mjs'

const isThere = async () =>
  (await run('git', ['lfs', 'version'], { quiet: true }).catch(() => ({ status: 1 }))).status === 0

/** Makes sure that git finds git-lfs; installs Debian's when it does not. */
export async function ensureGitLfs() {
  if (await isThere()) return
  await aptInstall(['git-lfs'])
  if (!(await isThere())) throw new SetupError('apt-get installed git-lfs, yet git does not find it')
}
