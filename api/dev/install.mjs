// Node, git and the packages: what every other command needs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must, root, run, SetupError } from './run.mjs'

const leastNode = [20, 19]
const leastGit = [2, 38]

/** Throws a SetupError that names what to install when Node or git is missing or too old. */
export async function checkTools() {
  const node = process.versions.node
  if (isOlder(node, leastNode)) {
    throw new SetupError(
      `Arsenal needs Node.js ${leastNode.join('.')} or newer; this is ${node}. See https://nodejs.org/`,
    )
  }
  const { output } = await run('git', ['--version'], { quiet: true }).catch(() => ({ output: '' }))
  const git = /\d+\.\d+(\.\d+)?/.exec(output)?.[0]
  if (!git)
    throw new SetupError(`Arsenal needs git ${leastGit.join('.')} or newer on the PATH; none was found.`)
  if (isOlder(git, leastGit))
    throw new SetupError(`Arsenal needs git ${leastGit.join('.')} or newer; this is ${git}.`)
}

/** Installs the packages of package-lock.json unless exactly those are there. */
export async function ensureInstalled() {
  if (isInstalled()) return
  process.stdout.write('Installing packages …\n')
  await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (!isInstalled())
    throw new SetupError('npm ci ended, yet packages of package-lock.json are missing; see its output.')
}

/** Compares the lock with the one that npm keeps of what it installed; packages for other machines may be absent. */
function isInstalled() {
  const kept = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(kept)) return false
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(kept)
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith('node_modules/') || link) return true
    return present[path] ? present[path].version === version : optional === true
  })
}

function packagesOf(lock) {
  return JSON.parse(readFileSync(lock, 'utf8')).packages
}

/**
 * @param {string} version
 * @param {number[]} least major and minor
 */
function isOlder(version, [major, minor]) {
  const [haveMajor = 0, haveMinor = 0] = version.split('.').map(Number)
  return haveMajor < major || (haveMajor === major && haveMinor < minor)
}
