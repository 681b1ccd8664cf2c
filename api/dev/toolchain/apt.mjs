// Debian packages, for what npm and PyPI do not carry.
import { exists, must, run, SetupError } from '../run.mjs'

let queue = Promise.resolve()

/** Installs packages as root or through sudo without a password; one call at a time, as apt wants it. */
export const aptInstall = (packages) =>
  inTurn(async () => {
    const apt = await updated(packages)
    await apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
  })

/** Unpacks a package into a folder without installing it, so that no service of it starts. */
export const aptUnpack = (name, folder) =>
  inTurn(async () => {
    await updated([name])
    await must('apt-get', ['-qq', 'download', name], { ...quietly, cwd: folder })
    await must('sh', ['-c', 'dpkg -x *.deb . && rm *.deb'], { ...quietly, cwd: folder })
  })

/** The path of the first of some programs; installs a package that brings one of them when there is none. */
export async function ensureProgram(names, wanted) {
  const found = await firstOnPath(names)
  if (found) return found
  await aptInstall([wanted])
  const installed = await firstOnPath(names)
  if (!installed) throw new SetupError(`apt-get installed ${wanted}, yet it is not on the PATH`)
  return installed
}

async function firstOnPath(names) {
  for (const name of names) {
    const { status, output } = await run('sh', ['-c', `command -v ${name}`], { quiet: true })
    if (status === 0) return output.trim()
  }
  return undefined
}

function inTurn(work) {
  const done = queue.then(work)
  queue = done.catch(() => undefined)
  return done
}

/** apt-get as root, with fresh lists. */
async function updated(packages) {
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
  return apt
}

const quietly = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
