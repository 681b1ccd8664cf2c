// The stages of `npm test`: what each needs, runs and counts.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { compatPage, rowsEnvironment } from './compat-page.mjs'
import { junitCounts, nodeTestCounts, playwrightCounts, vitestCounts } from './counts.mjs'
import { root, run, say } from './run.mjs'
import { ensureChromium } from './toolchain/chromium.mjs'
import { ensureGitClients } from './toolchain/git-clients.mjs'
import { ensureGitLfs } from './toolchain/git-lfs.mjs'
import { ensureLighttpd } from './toolchain/lighttpd.mjs'
import { ensureNginx } from './toolchain/nginx.mjs'
import { ensureNodeClients } from './toolchain/node-clients.mjs'
import { startPostgres } from './toolchain/postgres.mjs'
import { ensurePython, pythonTool } from './toolchain/python.mjs'
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
const schemathesis = () =>
  shared('schemathesis', () => pythonTool('schemathesis', 'api/dev/toolchain/schemathesis.txt'))
const gitLfs = () => shared('git-lfs', ensureGitLfs)
const gitClients = () => shared('git clients', ensureGitClients)
const nodeClients = () => shared('node clients', ensureNodeClients)

/**
 * In the order they begin, two at a time but for those that run alone. `exists`: whether the repository holds such tests. `prepare`: begun at once for every chosen
 * stage, since downloads wait on the network. `run` answers { passed, failed, note? }.
 */
export const stages = [
  { name: 'verify', isAlone: true, exists: () => true, prepare: [], run: runVerify },
  { name: 'vitest', exists: () => true, prepare: [s3], run: () => onStores(runVitest) },
  ...['a', 'b', 'c', 'd'].map((name) => ({
    name: `compat-${name}`,
    exists: () => has('e2e/compat/python'),
    prepare: [python, nodeClients],
    run: () => runPython(name),
  })),
  {
    name: 'topology',
    exists: () => has('e2e/topology'),
    prepare: [python, nodeClients, s3],
    run: () => onStores(runTopology),
  },
  { name: 'git', exists: () => has('e2e/git'), prepare: [gitLfs, gitClients, python], run: runGit },
  {
    name: 'schemathesis',
    exists: () => has('e2e/schema'),
    prepare: [schemathesis],
    run: runSchemathesis,
  },
  { name: 'compat-node', exists: () => has('e2e/compat/node'), prepare: [nodeClients], run: runNodeClients },
  {
    name: 'crash',
    exists: () => has('e2e/soak/crash'),
    prepare: [],
    run: () => runNodeTests('e2e/soak/crash/run.mjs'),
  },
  {
    name: 'server',
    exists: () => has('e2e/server'),
    prepare: [],
    run: () => runNodeTests('e2e/server/run.mjs'),
  },
  { name: 'compat-typed', exists: () => has('e2e/compat/typed'), prepare: [], run: runTypedClient },
  // Its budgets are those of a machine that does nothing else.
  { name: 'web', isAlone: true, exists: () => has('e2e/web'), prepare: [chromium, python, s3], run: runWeb },
  // Of what the others recorded.
  { name: 'compat-page', isAlone: true, exists: () => true, prepare: [], run: runCompatPage },
  {
    name: 'soak',
    isExtra: true,
    exists: () => has('e2e/soak/run.mjs'),
    prepare: [],
    run: () => runNodeTests('e2e/soak/run.mjs', [], { minutes: 120 }),
  },
  ...['redirect', 'proxy'].map((mode) => ({
    name: `soak-topology-${mode}`,
    isExtra: true,
    exists: () => has('e2e/topology'),
    prepare: [python, nodeClients, s3],
    run: () => onStores((stores) => runSoakingTopology(mode, stores)),
  })),
  {
    name: 'bench',
    isExtra: true,
    exists: () => has('e2e/bench/run.mjs'),
    prepare: [ensureNginx, ensureLighttpd],
    run: () => runScript('e2e/bench/run.mjs'),
  },
]

async function runVerify() {
  const results = await verify()
  const passed = results.filter(({ isPassed }) => isPassed).length
  return { passed, failed: results.length - passed }
}

async function runVitest(stores) {
  const report = join(reports, 'vitest.json')
  const flags = [
    '--config',
    'vite.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  await run('node_modules/.bin/vitest', ['run', ...flags], { env: stores, ...deadline(20) })
  return vitestCounts(report)
}

/** Runs with a Postgres and the servers of S3, which are given as the variables that the tests look for. */
async function onStores(work) {
  const postgres = await startPostgres()
  const stores = await startS3(await s3()).catch((error) => postgres.stop().then(() => Promise.reject(error)))
  try {
    return await work({ ARSENAL_TEST_POSTGRES: postgres.url, ARSENAL_TEST_S3: stores.urls })
  } finally {
    await stores.stop()
    await postgres.stop()
  }
}

async function runWeb() {
  await built()
  const report = join(reports, 'web.json')
  const hf = join((await python()).a, '..', 'hf')
  const programs = { ARSENAL_CHROMIUM: await chromium(), ARSENAL_HF: hf }
  const flags = ['test', '--config', 'e2e/web/playwright.config.ts', '--reporter=list,json']
  const stores = await startS3(await s3())
  try {
    const env = { ...programs, ARSENAL_TEST_S3: stores.urls, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
    await run('node_modules/.bin/playwright', flags, { env, ...deadline(20) })
  } finally {
    await stores.stop()
  }
  return playwrightCounts(report)
}

const rowTests = ['collections', 'community', 'files', 'not_offered', 'repos'].map(
  (name) => `hub/test_rows_${name}.py`,
)

/** The suites that the libraries of each environment can run; `test_zz_agreement.py` checks what they stored. */
const suites = {
  a: ['hub', 'command', 'chunk', 'device', 'transformers', 'sentence_transformers', 'datasets'],
  b: ['hub', 'chunk', 'device', 'datasets'],
  c: ['hub', 'chunk', 'transformers'],
  d: [...rowTests, 'hub/test_errors.py', 'hub/test_downloads.py'],
}

/** The suites of an environment, or of those only what `paths` and pytest's flags `chosen` name. */
async function runPython(
  name,
  { title = `compat-${name}`, paths = suites[name], chosen = [], env: more = {}, minutes = 15 } = {},
) {
  await built()
  const report = join(reports, `${title}.xml`)
  const folder = 'e2e/compat/python'
  const all = [...paths, 'test_zz_agreement.py'].map((path) => `${folder}/${path}`)
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
    ...chosen,
    ...all,
  ]
  const interpreters = await python()
  const others = ['a', 'b', 'c'].filter((other) => other !== name)
  const env = {
    // Without compiled modules torch and its kin load four times slower, and every `hf` command loads some.
    PYTHONDONTWRITEBYTECODE: '',
    // Other clients, which download what this one uploads.
    ARSENAL_OTHER_HF: others.map((other) => join(interpreters[other], '..', 'hf')).join(delimiter),
    ARSENAL_HUB_JS: Object.values(await nodeClients()).at(-1),
    ...rowsEnvironment(title),
    ...more,
  }
  await run(interpreters[name], flags, { env, ...deadline(minutes) })
  return junitCounts(report)
}

/** Many processes: a real part of the Python suites, a frozen worker, a store that fails, people who commit meanwhile. */
async function runTopology(stores) {
  const suites = await runPython('a', {
    title: 'topology',
    paths: ['hub/test_repos.py', 'hub/test_uploads.py', 'chunk/test_chunk_interruptions.py'],
    // What takes longest here says no more than on one process.
    chosen: ['-k', 'not gibibyte and not eight_sessions and not killed_upload and not begins_anew'],
    env: { ...stores, ARSENAL_COMPAT_TOPOLOGY: 'redirect' },
  })
  return both(suites, await runNodeTests('e2e/topology/run.mjs', [], { env: stores }))
}

/** All suites of the first environment, then people who commit for half an hour. */
async function runSoakingTopology(mode, stores) {
  const suites = await runPython('a', {
    title: `soak-topology-${mode}`,
    env: { ...stores, ARSENAL_COMPAT_TOPOLOGY: mode },
    minutes: 60,
  })
  const env = { ...stores, TOPOLOGY_MODE: mode, TOPOLOGY_COMMIT_SECONDS: '1800', TOPOLOGY_FAULT_ROUNDS: '20' }
  return both(suites, await runNodeTests('e2e/topology/run.mjs', [], { minutes: 90, env }))
}

const both = (one, other) => ({ passed: one.passed + other.passed, failed: one.failed + other.failed })

async function runNodeClients() {
  const entries = Object.values(await nodeClients())
  return runNodeTests('e2e/compat/node/run.mjs', entries, { env: rowsEnvironment('compat-node') })
}

async function runGit() {
  await Promise.all([gitLfs(), gitClients(), python()])
  return runNodeTests('e2e/git/run.mjs', [], { env: rowsEnvironment('git') })
}

/** Requests made up from the OpenAPI document, as every kind of caller; one report each. */
async function runSchemathesis() {
  await built()
  const folder = join(reports, 'schemathesis')
  await run(join(await schemathesis(), 'python'), ['e2e/schema/run.py', folder], deadline(10))
  const callers = ['anonymous', 'reader', 'other', 'writer', 'admin', 'the-end']
  const counts = callers.map((caller) => junitCounts(join(folder, `schemathesis-${caller}.xml`)))
  const sum = (key) => counts.reduce((total, each) => total + each[key], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}

/** The page of what the stages above recorded; every fault counts as a failed test. */
async function runCompatPage() {
  const { faults } = compatPage()
  for (const fault of faults) say(`${fault}\n`)
  return { passed: faults.length === 0 ? 1 : 0, failed: faults.length }
}

function runTypedClient() {
  return runNodeTests('e2e/compat/typed/run.mjs')
}

/** Runs a script of tests of `node:test`, or one that runs `node --test`, once or more. */
async function runNodeTests(script, args = [], { minutes = 10, env = {} } = {}) {
  await built()
  const { status, output } = await run('node', [script, ...args], { quiet: true, env, ...deadline(minutes) })
  say(output)
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
