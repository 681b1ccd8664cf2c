// The reference of the benchmark of pulls: a downloader that takes files in parts, several at once.
import { run } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Makes sure that aria2c is on the PATH; installs Debian's when it is not. */
export async function ensureAria2() {
  const { status } = await run('sh', ['-c', 'command -v aria2c'], { quiet: true })
  if (status !== 0) await aptInstall(['aria2'])
}
