// Go, for tools of the tests that are built from source.
import { exists, run, SetupError } from '../run.mjs'

/** Refuses a missing or too old Go; `what` needs it. */
export async function requireGo(what, leastGo = [1, 24]) {
  const { output } = (await exists('go')) ? await run('go', ['version'], { quiet: true }) : { output: '' }
  const [major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(output) ?? []).slice(1).map(Number)
  if (major < leastGo[0] || (major === leastGo[0] && minor < leastGo[1]))
    throw new SetupError(`${what} needs Go ${leastGo.join('.')} or newer on the PATH: https://go.dev/dl/`)
}
