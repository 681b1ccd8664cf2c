// The browser of the page tests.
import { run, SetupError } from '../run.mjs'
import { aptInstall } from './apt.mjs'

/** Best first: the shell is the same engine without the browser's own windows, for a sixth less CPU time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The path of a Chromium; installs Debian's when there is none. */
export async function ensureChromium() {
  const found = await find()
  if (found) return found
  await aptInstall(['chromium-headless-shell'])
  const installed = await find()
  if (!installed) throw new SetupError('apt-get installed chromium-headless-shell, yet it is not on the PATH')
  return installed
}

async function find() {
  for (const name of names) {
    const { status, output } = await run('sh', ['-c', `command -v ${name}`], { quiet: true })
    if (status === 0) return output.trim()
  }
  return undefined
}
