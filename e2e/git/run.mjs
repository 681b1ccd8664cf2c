// Real git and git-lfs against the built server: clone, fetch, push, what is refused, who meets whom, what is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const suites = ['fetch', 'push', 'refusals', 'lfs', 'races'].map((name) =>
  fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)),
)
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...suites], { stdio: 'inherit' })
const [code] = await once(child, 'exit')
process.exitCode = code ?? 1
