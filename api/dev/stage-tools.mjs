// What stages of `npm test` share: tools that are fetched once, stores to run on, and ways to run tests.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { nodeTestCounts } from './counts.mjs'
import { root, run, say } from './run.mjs'
import { ensureChromium } from './toolchain/chromium.mjs'
import { ensureGitClients } from './toolchain/git-clients.mjs'
import { ensureGitLfs } from './toolchain/git-lfs.mjs'
import { ensureNewerGit } from './toolchain/newer-git.mjs'
import { ensureNodeClients } from './toolchain/node-clients.mjs'
import { startPostgres } from './toolchain/postgres.mjs'
import { ensurePython, pythonTool } from './toolchain/python.mjs'
import { ensureS3, startS3 } from './toolchain/s3.mjs'

const minute = 60_000
/** Where the runners write; emptied before each run, so that no old report is read. */
export const reports = join(root, '.cache', 'reports')

/** What is fetched or made once, for the first stage that asks. */
const once = {}
const shared = (name, make) => (once[name] ??= make())
export const built = () => shared('built', ensureBuilt)
export const chromium = () => shared('chromium', ensureChromium)
export const python = () => shared('python', ensurePython)
export const s3 = () => shared('s3', ensureS3)
export const schemathesis = () =>
  shared('schemathesis', () => pythonTool('schemathesis', 'api/dev/toolchain/schemathesis.txt'))
/** The oldest `datasets` that is supported, which the tests of the newest one run beside it. */
export const oldestDatasets = () =>
  shared('oldest datasets', () =>
    pythonTool('python-oldest-datasets', 'e2e/compat/requirements-oldest-datasets.txt'),
  )
/** What other scanners need beside the environment `a` of Python. */
export const scanners = () =>
  shared('scanners', () => pythonTool('python-scanning', 'e2e/scanning/requirements.txt'))
export const gitLfs = () => shared('git-lfs', ensureGitLfs)
export const gitClients = () => shared('git clients', ensureGitClients)
export const newerGit = () => shared('newer git', ensureNewerGit)
export const nodeClients = () => shared('node clients', ensureNodeClients)

/** Runs with a Postgres and the servers of S3, which are given as the variables that the tests look for. */
export async function onStores(work) {
  const postgres = await startPostgres()
  const stores = await startS3(await s3()).catch((error) => postgres.stop().then(() => Promise.reject(error)))
  try {
    return await work({ ARSENAL_TEST_POSTGRES: postgres.url, ARSENAL_TEST_S3: stores.urls })
  } finally {
    await stores.stop()
    await postgres.stop()
  }
}

/** Runs a script of tests of `node:test`, or one that runs `node --test`, once or more. */
export async function runNodeTests(script, args = [], { minutes = 20, env = {} } = {}) {
  await built()
  const { status, output } = await run('node', [script, ...args], { quiet: true, env, ...deadline(minutes) })
  say(output)
  const counts = nodeTestCounts(output)
  return status === 0 || counts.failed > 0
    ? counts
    : { ...counts, failed: 1, note: `${script} ended with ${status}` }
}

/**
 * A stage that hangs is interrupted, so that it can stop what it started; its report then lacks tests.
 * @param {number} minutes
 * @returns {{ timeout: number, killSignal: NodeJS.Signals }}
 */
export function deadline(minutes) {
  return { timeout: minutes * minute, killSignal: 'SIGINT' }
}
