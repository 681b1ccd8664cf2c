// curl, which some tests run.
import { exists } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Makes sure that curl is there; installs Debian's when it is not. */
export async function ensureCurl() {
  if (!(await exists('curl'))) await aptInstall(['curl'])
}
