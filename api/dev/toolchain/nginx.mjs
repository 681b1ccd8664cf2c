// The reference of the download benchmark.
import { run } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Makes sure that nginx is on the PATH; installs Debian's when it is not. */
export async function ensureNginx() {
  const { status } = await run('sh', ['-c', 'command -v nginx'], { quiet: true })
  if (status !== 0) await aptInstall(['nginx-light'])
}
