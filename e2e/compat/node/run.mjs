// Runs the suite of the JavaScript hub client once per version given: `node run.mjs <entry point>...`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openServer } from './server.mjs'

const suites = ['hub', 'rows', 'row-files', 'copies', 'chunk', 'headers'].map((name) =>
  fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)),
)
// So that reads are logged as well: the rows are proven by them.
const server = await openServer({ 'telemetry.log_level': 'debug' })
let failed = 0
try {
  const person = await server.newPerson('jsuser')
  const token = await person.token('node-compat')
  const other = await server.newPerson('jsother')
  const otherToken = await other.token('node-compat')
  for (const entry of process.argv.slice(2)) {
    const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...suites], {
      stdio: 'inherit',
      env: {
        ...process.env,
        HUB_CLIENT: entry,
        ARSENAL_URL: server.url,
        ARSENAL_TOKEN: token,
        ARSENAL_OTHER_TOKEN: otherToken,
        ARSENAL_USER: person.username,
        ARSENAL_LOG: server.logFile,
      },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) failed++
  }
  await server.agree()
} finally {
  await server.stop()
}
process.exitCode = failed === 0 ? 0 : 1
