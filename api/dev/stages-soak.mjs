// The stages of `npm run test:soak`, which are too long for `npm test`. Each runs alone on the machine.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { madeOn, writeRow } from '../../e2e/soak/page.mjs'
import { rowsEnvironment } from './compat-page.mjs'
import { runPython } from './python-suites.mjs'
import { root } from './run.mjs'
import { ensureFaketime } from './toolchain/faketime.mjs'
import { ensureOllama } from './toolchain/ollama.mjs'
import { ensurePrometheus } from './toolchain/prometheus.mjs'
import { nodeClients, onStores, python, runNodeTests, s3 } from './stage-tools.mjs'

const exists = () => existsSync(join(root, 'e2e/soak'))

/** How bytes travel between clients and a bucket, and how docs/soak.md calls it. */
const modes = { redirect: 'straight to the bucket', proxy: 'through the service' }

/** The suites of clients and the minutes that one may take on many processes; the names are those of docs/soak.md. */
const clients = {
  a: { title: 'A', minutes: 60 },
  b: { title: 'B', minutes: 40 },
  c: { title: 'C', minutes: 25 },
  d: { title: 'D', minutes: 15 },
  node: { title: 'JavaScript', minutes: 20 },
}

export const soakStages = [
  {
    name: 'soak',
    isAlone: true,
    isExtra: true,
    exists,
    prepare: [],
    run: () => runNodeTests('e2e/soak/run.mjs', [], { minutes: 120 }),
  },
  {
    name: 'soak-chaos',
    isAlone: true,
    isExtra: true,
    exists,
    prepare: [s3, ensurePrometheus, ensureFaketime],
    run: () => runNodeTests('e2e/soak/chaos/chaos.test.mjs', [], { minutes: 200 }),
  },
  {
    name: 'soak-large-file',
    isAlone: true,
    isExtra: true,
    exists,
    prepare: [python, nodeClients],
    run: () => runPython('a', { title: 'soak-large-file', paths: ['soak'], minutes: 30 }),
  },
  {
    name: 'soak-fuzz',
    isAlone: true,
    isExtra: true,
    exists: () => existsSync(join(root, 'e2e/scanning')),
    prepare: [],
    run: () => runNodeTests('e2e/scanning/fuzz.mjs', [], { minutes: 180 }),
  },
  {
    name: 'soak-ollama',
    isAlone: true,
    isExtra: true,
    exists: () => existsSync(join(root, 'e2e/ollama')),
    prepare: [ensureOllama],
    run: async () =>
      runNodeTests('e2e/ollama/run.mjs', [], { env: { ARSENAL_OLLAMA: await ensureOllama() }, minutes: 20 }),
  },
  ...Object.keys(modes).flatMap((mode) => [
    ...Object.keys(clients).map((name) =>
      stageOnStores(`soak-topology-${mode}-${name}`, (stores) => runClients(name, mode, stores)),
    ),
    stageOnStores(`soak-topology-${mode}-kills`, (stores) => runKills(mode, stores)),
  ]),
]

function stageOnStores(name, work) {
  const prepare = [python, nodeClients, s3]
  return { name, isAlone: true, isExtra: true, exists, prepare, run: () => onStores(work) }
}

/** All suites of one kind of client on many processes; how many passed goes to docs/soak.md. */
async function runClients(name, mode, stores) {
  const title = `soak-topology-${mode}-${name}`
  const { minutes } = clients[name]
  const env = { ...stores, ARSENAL_COMPAT_TOPOLOGY: mode }
  const started = performance.now()
  const counts = await (name === 'node'
    ? runNodeTests('e2e/compat/node/run.mjs', Object.values(await nodeClients()), {
        minutes,
        env: { ...env, ...rowsEnvironment(title) },
      })
    : runPython(name, { title, minutes, env }))
  writeCounts(name, mode, counts, Math.ceil((performance.now() - started) / 60_000))
  return counts
}

function writeCounts(name, mode, { passed, failed }, minutes) {
  const suites = `${clients[name].title}, ${modes[mode]}`
  const row = { 'suites, bytes': suites, run: madeOn(), minutes, passed, failed }
  writeRow('clients on many processes', Object.keys(row), Object.values(row))
}

/** People who commit for half an hour while processes are killed, a frozen worker, a store that fails. */
function runKills(mode, stores) {
  const env = {
    ...stores,
    TOPOLOGY_MODE: mode,
    TOPOLOGY_COMMIT_SECONDS: '1800',
    TOPOLOGY_FAULT_ROUNDS: '20',
    TOPOLOGY_LEASE_SECONDS: '60',
  }
  return runNodeTests('e2e/topology/run.mjs', [], { minutes: 90, env })
}
