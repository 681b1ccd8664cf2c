// Several processes against each other and against their stores.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const suites = ['frozen-worker', 'store-faults', 'pulls', 'rolling', 'committers'].map((name) =>
  fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)),
)
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...suites], { stdio: 'inherit' })
const [code] = await once(child, 'exit')
process.exitCode = code ?? 1
