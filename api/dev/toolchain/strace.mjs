// strace, for the test of what the server makes durable, and when.
import { exists } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Makes sure that strace is on the PATH. */
export async function ensureStrace() {
  if (!(await exists('strace'))) await aptInstall(['strace'])
}
