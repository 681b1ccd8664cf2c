// Debian packages, for what npm and PyPI do not carry.
import { exists, must, run, SetupError } from '../run.mjs'

let queue = Promise.resolve()

/** Installs packages as root or through sudo without a password; one call at a time, as apt wants it. */
export function aptInstall(packages) {
  const done = queue.then(() => install(packages))
  queue = done.catch(() => undefined)
  return done
}

async function install(packages) {
  const wanted = packages.join(' ')
  if (!(await exists('apt-get')))
    throw new SetupError(`${wanted} is missing and there is no apt-get: install it and try again`)
  const isRoot = process.getuid?.() === 0
  if (
    !isRoot &&
    (await run('sudo', ['-n', 'true'], { quiet: true }).catch(() => ({ status: 1 }))).status !== 0
  ) {
    throw new SetupError(`${wanted} is missing: run "sudo apt-get install ${wanted}" and try again`)
  }
  const apt = (args) => must(isRoot ? 'apt-get' : 'sudo', isRoot ? args : ['-n', 'apt-get', ...args], quietly)
  await apt(['update', '-qq'])
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
}

const quietly = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
