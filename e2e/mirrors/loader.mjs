// Programs of `clients/` that load with the public libraries, and print what they got.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'

const run = promisify(execFile)

/**
 * Runs a program of `clients/` against a hub, with a folder for what the libraries keep; answers what it printed last.
 * @param {string} python
 * @param {string[]} call The program's name and its arguments.
 * @param {{ url: string, home: string, token?: string, env?: Record<string, string> }} options
 */
export async function loadWith(python, [program, ...args], { url, home, token, env: more = {} }) {
  const env = {
    ...process.env,
    HF_ENDPOINT: url,
    HF_HOME: home,
    HF_HUB_DISABLE_TELEMETRY: '1',
    HF_HUB_DISABLE_PROGRESS_BARS: '1',
    ...(token ? { HF_TOKEN: token } : {}),
    ...more,
  }
  const path = fileURLToPath(new URL(`clients/${program}`, import.meta.url))
  const { stdout } = await run(python, [path, ...args], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}
