// The stages of `npm test`: what each needs, runs and counts.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureTestWorkers } from './build.mjs'
import { compatPage, rowsEnvironment } from './compat-page.mjs'
import { junitCounts, playwrightCounts, together, vitestCounts } from './counts.mjs'
import { runLibraries, runPython, runScanning, runTopology } from './python-suites.mjs'
import { root, run } from './run.mjs'
import {
  built,
  chromium,
  deadline,
  gitClients,
  gitLfs,
  newerGit,
  nodeClients,
  onStores,
  oldestDatasets,
  python,
  reports,
  runNodeTests,
  s3,
  scanners,
  schemathesis,
} from './stage-tools.mjs'
import { soakStages } from './stages-soak.mjs'
import { ensureAria2 } from './toolchain/aria2.mjs'
import { ensureCaddy } from './toolchain/caddy.mjs'
import { ensureCurl } from './toolchain/curl.mjs'
import { ensureFaketime } from './toolchain/faketime.mjs'
import { ensureFirefox } from './toolchain/firefox.mjs'
import { ensureImageNode, imageNodeOptions } from './toolchain/image-node.mjs'
import { ensureLighttpd } from './toolchain/lighttpd.mjs'
import { ensureNginx } from './toolchain/nginx.mjs'
import { ensureHelm } from './toolchain/helm.mjs'
import { ensureOtelcol } from './toolchain/otelcol.mjs'
import { ensurePrometheus } from './toolchain/prometheus.mjs'
import { ensureMinio, ensureVersitygw, startS3 } from './toolchain/s3.mjs'
import { ensureStrace } from './toolchain/strace.mjs'
import { ensureSystemdAnalyze } from './toolchain/systemd.mjs'
import { verify } from './verify.mjs'

const has = (path) => existsSync(join(root, path))

/** What `npm run bench` measures beside. */
const benchTools = [
  ensureImageNode,
  chromium,
  ensureNginx,
  ensureAria2,
  ensureLighttpd,
  ensureVersitygw,
  ensureMinio,
  python,
]

/**
 * In the order they begin, the long ones first, beside each other but for those that run alone. `exists`: whether the
 * repository holds such tests. `prepare`: begun at once for every chosen stage, since downloads wait on the network.
 * `share`: how much of the machine it takes, where that is more than of most (test.mjs). `run` answers
 * { passed, failed, failures, note? }.
 */
export const stages = [
  { name: 'verify', isAlone: true, exists: () => true, prepare: [], run: runVerify },
  { name: 'vitest', share: 2, exists: () => true, prepare: [s3], run: () => onStores(runVitest) },
  ...['a', 'b', 'c'].map(pythonStage),
  { name: 'web', share: 2, exists: () => has('e2e/web'), prepare: [chromium, python, s3], run: runWeb },
  { name: 'git', exists: () => has('e2e/git'), prepare: [gitLfs, gitClients, newerGit, python], run: runGit },
  {
    name: 'mirrors',
    exists: () => has('e2e/mirrors'),
    prepare: [gitLfs, python, nodeClients, ensureCurl, ensureAria2],
    run: runMirrors,
  },
  {
    name: 'topology',
    exists: () => has('e2e/topology'),
    prepare: [python, nodeClients, s3],
    run: () => onStores(runTopology),
  },
  {
    name: 'crash',
    exists: () => has('e2e/soak/crash'),
    prepare: [],
    run: () => runNodeTests('e2e/soak/crash/run.mjs'),
  },
  { name: 'compat-node', exists: () => has('e2e/compat/node'), prepare: [nodeClients], run: runNodeClients },
  pythonStage('e'),
  {
    name: 'server',
    exists: () => has('e2e/server'),
    prepare: [ensureCurl],
    run: runServer,
  },
  {
    name: 'backup',
    exists: () => has('e2e/backup'),
    prepare: [gitLfs, python, s3],
    run: () => onStores(runBackup),
  },
  {
    name: 'schemathesis',
    exists: () => has('e2e/schema'),
    prepare: [schemathesis],
    run: () => runSchemathesis(),
  },
  {
    name: 'image-node',
    exists: () => has('e2e/server'),
    prepare: [ensureImageNode, ensureCurl],
    run: runOnImageNode,
  },
  {
    name: 'durability',
    exists: () => has('e2e/durability'),
    prepare: [ensureStrace],
    run: runDurability,
  },
  pythonStage('d'),
  {
    name: 'compat-libraries',
    exists: () => has('e2e/compat/python'),
    prepare: [python, nodeClients],
    run: runLibraries,
  },
  { name: 'scanning', exists: () => has('e2e/scanning'), prepare: [python, scanners], run: runScanning },
  { name: 'compat-typed', exists: () => has('e2e/compat/typed'), prepare: [], run: runTypedClient },
  {
    name: 'deploy',
    exists: () => has('e2e/deploy'),
    prepare: [ensureNginx, ensureCaddy, ensureSystemdAnalyze, ensureHelm],
    run: runDeploy,
  },
  { name: 'web-firefox', exists: () => has('e2e/web/firefox'), prepare: [ensureFirefox], run: runWebFirefox },
  {
    name: 'telemetry',
    exists: () => has('e2e/telemetry'),
    prepare: [ensureOtelcol, ensurePrometheus, ensureFaketime, s3],
    run: () => runNodeTests('e2e/telemetry/run.mjs'),
  },
  // These hold the server and its pages to times of a machine that does nothing else.
  {
    name: 'hostile',
    isAlone: true,
    exists: () => has('e2e/hostile'),
    prepare: [],
    run: () => runNodeTests('e2e/hostile/run.mjs'),
  },
  { name: 'web-budgets', isAlone: true, exists: () => has('e2e/web'), prepare: [chromium], run: runBudgets },
  // Of what the others recorded.
  { name: 'compat-page', isAlone: true, exists: () => true, prepare: [], run: runCompatPage },
  ...soakStages,
  {
    name: 'soak-schemathesis',
    isAlone: true,
    isExtra: true,
    exists: () => has('e2e/schema'),
    prepare: [schemathesis],
    run: () => runSchemathesis({ title: 'soak-schemathesis', phases: 'coverage', minutes: 30 }),
  },
  {
    name: 'bench',
    isExtra: true,
    exists: () => has('e2e/bench/run.mjs'),
    prepare: benchTools,
    run: runBench,
  },
  {
    name: 'scale',
    isExtra: true,
    exists: () => has('e2e/bench/scale.mjs'),
    prepare: [ensureImageNode],
    run: () => runScript('e2e/bench/scale.mjs'),
  },
]

function pythonStage(name) {
  const exists = () => has('e2e/compat/python')
  const prepare = [python, nodeClients, ...(name === 'a' ? [oldestDatasets] : [])]
  return { name: `compat-${name}`, exists, prepare, run: () => runPython(name) }
}

async function runVerify() {
  const results = await verify()
  const failures = results.filter(({ isPassed }) => !isPassed).map(({ name }) => name)
  return { passed: results.length - failures.length, failed: failures.length, failures }
}

/**
 * Vitest keeps what test files loaded and made, so its two processes grew to 2.7 GB. Then half of their time went into
 * marking that heap and into copying its page tables for each git that a test starts. So the files run in parts, each with
 * new processes.
 */
const VITEST_PARTS = 4

async function runVitest(stores) {
  const env = { ...stores, ARSENAL_TEST_WORKERS: await ensureTestWorkers() }
  const counts = []
  for (let part = 1; part <= VITEST_PARTS; part++) {
    const report = join(reports, `vitest-${part}.json`)
    const flags = [
      '--config',
      'vite.config.ts',
      `--shard=${part}/${VITEST_PARTS}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]
    await run('node_modules/.bin/vitest', ['run', ...flags], { env, ...deadline(30) })
    counts.push(vitestCounts(report))
  }
  return together(...counts)
}

/** The tests wait for a server as often as for the browser: two at a time, each with a server of its own. */
async function runWeb() {
  const hf = join((await python()).a, '..', 'hf')
  const stores = await startS3(await s3())
  try {
    const env = { ARSENAL_HF: hf, ARSENAL_TEST_S3: stores.urls }
    return await runPlaywright('web', ['--workers=2', '(?<!budgets)\\.spec'], env)
  } finally {
    await stores.stop()
  }
}

function runBudgets() {
  return runPlaywright('web-budgets', ['budgets.spec'])
}

/** The main journeys in another engine. */
async function runWebFirefox() {
  return runPlaywright('web-firefox', [], { ARSENAL_FIREFOX: await ensureFirefox() }, 'e2e/web/firefox')
}

async function runPlaywright(title, chosen, env = {}, folder = 'e2e/web') {
  await built()
  const report = join(reports, `${title}.json`)
  const settings = ['--config', `${folder}/playwright.config.ts`, '--output', `test-results/${title}`]
  const flags = ['test', ...settings, '--reporter=list,json', ...chosen]
  const all = { ...env, ARSENAL_CHROMIUM: await chromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  await run('node_modules/.bin/playwright', flags, { env: all, ...deadline(60) })
  return playwrightCounts(report)
}

async function runNodeClients() {
  const entries = Object.values(await nodeClients())
  return runNodeTests('e2e/compat/node/run.mjs', entries, { env: rowsEnvironment('compat-node') })
}

async function runMirrors() {
  await Promise.all([gitLfs(), python(), nodeClients(), ensureCurl(), ensureAria2()])
  return runNodeTests('e2e/mirrors/run.mjs')
}

async function runGit() {
  await Promise.all([gitLfs(), gitClients(), newerGit(), python(), ensureCurl()])
  return runNodeTests('e2e/git/run.mjs', [], { env: rowsEnvironment('git') })
}

async function runServer() {
  await ensureCurl()
  return runNodeTests('e2e/server/run.mjs')
}

/** The built server under the Node of the image; the other stages take the machine's. */
async function runOnImageNode() {
  await ensureCurl()
  return runNodeTests('e2e/server/run.mjs', [], { env: await envOfImageNode() })
}

/** Programs called `node` are that of deploy/Dockerfile. */
async function envOfImageNode() {
  return { PATH: `${await ensureImageNode()}${delimiter}${process.env.PATH}` }
}

async function runDurability() {
  await ensureStrace()
  return runNodeTests('e2e/durability/run.mjs')
}

async function runBackup(stores) {
  await Promise.all([gitLfs(), python()])
  return runNodeTests('e2e/backup/run.mjs', [], { env: stores })
}

async function runDeploy() {
  await Promise.all([ensureNginx(), ensureCaddy(), ensureSystemdAnalyze(), ensureHelm(), ensureCurl()])
  return runNodeTests('e2e/deploy/run.mjs')
}

/** Requests made up from the OpenAPI document, as every kind of caller; one report each. */
async function runSchemathesis({ title = 'schemathesis', phases = 'fuzzing', minutes = 10 } = {}) {
  await built()
  const folder = join(reports, title)
  const env = { SCHEMATHESIS_PHASES: phases }
  const { status } = await run(join(await schemathesis(), 'python'), ['e2e/schema/run.py', folder], {
    env,
    ...deadline(minutes),
  })
  const callers = ['anonymous', 'reader', 'other', 'writer', 'admin', 'the-end']
  const counts = together(...callers.map((caller) => junitCounts(join(folder, `schemathesis-${caller}.xml`))))
  // What fails outside of the requests is in no report.
  const isOdd = status !== 0 && counts.failed === 0
  return isOdd ? { ...counts, failed: 1, failures: [`e2e/schema/run.py ended with ${status}`] } : counts
}

/** The page of what the stages above recorded; every fault counts as a failed test. */
async function runCompatPage() {
  const { faults } = compatPage()
  return { passed: faults.length === 0 ? 1 : 0, failed: faults.length, failures: faults }
}

/**
 * On the Node that operators get with the image. Every tool is ready before anything is measured: a build of MinIO beside it
 * doubled the time of a start.
 */
async function runBench() {
  await Promise.all(benchTools.map((ensure) => ensure()))
  return runScript('e2e/bench/run.mjs')
}

function runTypedClient() {
  return runNodeTests('e2e/compat/typed/run.mjs')
}

async function runScript(script) {
  await built()
  const env = { ...(await envOfImageNode()), NODE_OPTIONS: imageNodeOptions }
  const { status } = await run('node', [script], { env })
  const failures = status === 0 ? [] : [`${script} ended with ${status}`]
  return { passed: 1 - failures.length, failed: failures.length, failures }
}
