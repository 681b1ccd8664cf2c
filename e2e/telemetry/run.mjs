// What operators see, by independent tools: a collector of OpenTelemetry, Prometheus and its parsers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureOtelcol } from '../../api/dev/toolchain/otelcol.mjs'
import { pythonTool } from '../../api/dev/toolchain/python.mjs'

const env = {
  ...process.env,
  ARSENAL_OTELCOL: await ensureOtelcol(),
  ARSENAL_PROMETHEUS_PYTHON: join(await pythonTool('prometheus', 'e2e/telemetry/requirements.txt'), 'python'),
}
const files = ['traces', 'prometheus', 'rules', 'clock'].map((name) =>
  fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)),
)
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], { stdio: 'inherit', env })
const [code] = await once(child, 'exit')
process.exitCode = code ?? 1
