// systemd-analyze, for the test of deploy/arsenal.service.
import { exists } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Makes sure that systemd-analyze is on the PATH; it needs no running systemd. */
export async function ensureSystemdAnalyze() {
  if (!(await exists('systemd-analyze'))) await aptInstall(['systemd'])
}
