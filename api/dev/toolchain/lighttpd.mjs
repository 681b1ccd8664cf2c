// The reference of the benchmarks of git: a small server for git's own CGI program.
import { run } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Makes sure that lighttpd is on the PATH; installs Debian's when it is not. */
export async function ensureLighttpd() {
  const { status } = await run('sh', ['-c', 'command -v lighttpd'], { quiet: true })
  if (status !== 0) await aptInstall(['lighttpd'])
}
