// Go, for tools of the tests that are built from source.
import { join } from 'node:path'
import { exists, must, root, run, SetupError } from '../run.mjs'

/** Refuses a missing or too old Go; `what` needs it. */
export async function requireGo(what, leastGo = [1, 24]) {
  const { output } = (await exists('go')) ? await run('go', ['version'], { quiet: true }) : { output: '' }
  const [major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(output) ?? []).slice(1).map(Number)
  if (major < leastGo[0] || (major === leastGo[0] && minor < leastGo[1]))
    throw new SetupError(`${what} needs Go ${leastGo.join('.')} or newer on the PATH: https://go.dev/dl/`)
}

/**
 * What only tests run is compiled as fast as can be, neither optimised nor with what a debugger reads: the collector of
 * OpenTelemetry takes 112 CPU s then, and 156 otherwise.
 */
const quickly = ['-trimpath', '-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w']
const pure = { CGO_ENABLED: '0' }

/** Builds the module in `source`, a folder of this repository, as the program `file`. */
export async function buildGo(source, file) {
  await must('go', ['build', ...quickly, '-o', file, '.'], {
    quiet: true,
    env: pure,
    cwd: join(root, source),
  })
}

/** Builds a public program, such as `example.com/tool@v1.2.3`, into `folder`. */
export async function installGo(program, folder) {
  await must('go', ['install', ...quickly, program], { quiet: true, env: { ...pure, GOBIN: folder } })
}
