// The stages of `npm test`: what each needs, runs and counts.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { junitCounts, nodeTestCounts, playwrightCounts, vitestCounts } from './counts.mjs'
import { root, run } from './run.mjs'
import { ensureChromium } from './toolchain/chromium.mjs'
import { ensureGitLfs } from './toolchain/git-lfs.mjs'
import { ensureNginx } from './toolchain/nginx.mjs'
import { ensureNodeClients } from './toolchain/node-clients.mjs'
import { startPostgres } from './toolchain/postgres.mjs'
import { ensurePython } from './toolchain/python.mjs'
import { ensureS3, startS3 } from './toolchain/s3.mjs'
import { verify } from './verify.mjs'

const minute = 60_000
/** Where the runners write; emptied before each run, so that no old report is read. */
export const reports = join(root, '.cache', 'reports')
const has = (path) => existsSync(join(root, path))

/** What is fetched or made once, whoever asks first. */
const once = {}
const shared = (name, make) => (once[name] ??= make())
const built = () => shared('built', ensureBuilt)
const chromium = () => shared('chromium', ensureChromium)
const python = () => shared('python', ensurePython)
const s3 = () => shared('s3', ensureS3)
const gitLfs = () => shared('git-lfs', ensureGitLfs)
const nodeClients = () => shared('node clients', ensureNodeClients)

/**
 * In the order they run. `exists`: whether the repository holds such tests. `prepare`: begun at once for every chosen
 * stage, since downloads wait on the network. `run` answers { passed, failed, note? }.
 */
export const stages = [
  { name: 'verify', exists: () => true, prepare: [], run: runVerify },
  { name: 'vitest', exists: () => true, prepare: [s3], run: runVitest },
  {
    name: 'server',
    exists: () => has('e2e/server'),
    prepare: [],
    run: () => runNodeTests('e2e/server/run.mjs'),
  },
  { name: 'git', exists: () => has('e2e/git'), prepare: [gitLfs], run: runGit },
  {
    name: 'crash',
    exists: () => has('e2e/soak/crash'),
    prepare: [],
    run: () => runNodeTests('e2e/soak/crash/run.mjs'),
  },
  { name: 'web', exists: () => has('e2e/web'), prepare: [chromium, python], run: runWeb },
  ...['a', 'b', 'c'].map((name) => ({
    name: `compat-${name}`,
    exists: () => has('e2e/compat/python'),
    prepare: [python, nodeClients],
    run: () => runPython(name),
  })),
  { name: 'compat-node', exists: () => has('e2e/compat/node'), prepare: [nodeClients], run: runNodeClients },
  { name: 'compat-typed', exists: () => has('e2e/compat/typed'), prepare: [], run: runTypedClient },
  {
    name: 'soak',
    isExtra: true,
    exists: () => has('e2e/soak/run.mjs'),
    prepare: [],
    run: () => runNodeTests('e2e/soak/run.mjs', [], 120),
  },
  {
    name: 'bench',
    isExtra: true,
    exists: () => has('e2e/bench/run.mjs'),
    prepare: [ensureNginx],
    run: () => runScript('e2e/bench/run.mjs'),
  },
]

async function runVerify() {
  const results = await verify()
  const passed = results.filter(({ isPassed }) => isPassed).length
  return { passed, failed: results.length - passed }
}

async function runVitest() {
  const report = join(reports, 'vitest.json')
  const postgres = await startPostgres()
  const stores = await startS3(await s3()).catch((error) => postgres.stop().then(() => Promise.reject(error)))
  try {
    const flags = [
      '--config',
      'vite.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]
    const env = { ARSENAL_TEST_POSTGRES: postgres.url, ARSENAL_TEST_S3: stores.urls }
    await run('node_modules/.bin/vitest', ['run', ...flags], { env, ...deadline(20) })
  } finally {
    await stores.stop()
    await postgres.stop()
  }
  return vitestCounts(report)
}

async function runWeb() {
  await built()
  const report = join(reports, 'web.json')
  const hf = join((await python()).a, '..', 'hf')
  const env = { ARSENAL_CHROMIUM: await chromium(), ARSENAL_HF: hf, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const flags = ['test', '--config', 'e2e/web/playwright.config.ts', '--reporter=list,json']
  await run('node_modules/.bin/playwright', flags, { env, ...deadline(20) })
  return playwrightCounts(report)
}

/** The suites that the libraries of each environment can run; `test_zz_agreement.py` checks what they stored. */
const suites = {
  a: ['hub', 'chunk', 'device', 'transformers', 'sentence_transformers', 'datasets'],
  b: ['hub', 'chunk', 'device', 'datasets'],
  c: ['hub', 'chunk', 'transformers'],
}

async function runPython(name) {
  await built()
  const report = join(reports, `compat-${name}.xml`)
  const folder = 'e2e/compat/python'
  const paths = [...suites[name], 'test_zz_agreement.py'].map((path) => `${folder}/${path}`)
  const flags = [
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    '-o',
    'tmp_path_retention_policy=failed',
    '--rootdir',
    folder,
    `--junitxml=${report}`,
    ...paths,
  ]
  const interpreters = await python()
  const others = Object.keys(interpreters).filter((other) => other !== name)
  const env = {
    // Without compiled modules torch and its kin load four times slower, and every `hf` command loads some.
    PYTHONDONTWRITEBYTECODE: '',
    // Other clients, which download what this one uploads.
    ARSENAL_OTHER_HF: others.map((other) => join(interpreters[other], '..', 'hf')).join(delimiter),
    ARSENAL_HUB_JS: Object.values(await nodeClients()).at(-1),
  }
  await run(interpreters[name], flags, { env, ...deadline(15) })
  return junitCounts(report)
}

async function runNodeClients() {
  return runNodeTests('e2e/compat/node/run.mjs', Object.values(await nodeClients()))
}

async function runGit() {
  await gitLfs()
  return runNodeTests('e2e/git/run.mjs')
}

function runTypedClient() {
  return runNodeTests('e2e/compat/typed/run.mjs')
}

/** Runs a script of tests of `node:test`, or one that runs `node --test`, once or more. */
async function runNodeTests(script, args = [], minutes = 10) {
  await built()
  const { status, output } = await run('node', [script, ...args], { quiet: true, ...deadline(minutes) })
  process.stdout.write(output)
  const counts = nodeTestCounts(output)
  return status === 0 || counts.failed > 0
    ? counts
    : { ...counts, failed: 1, note: `${script} ended with ${status}` }
}

async function runScript(script) {
  await built()
  const { status } = await run('node', [script])
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** A stage that hangs is interrupted, so that it can stop what it started; its report then lacks tests. */
function deadline(minutes) {
  return { timeout: minutes * minute, killSignal: 'SIGINT' }
}
