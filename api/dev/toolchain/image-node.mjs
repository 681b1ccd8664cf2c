// The Node of the container image, which is newer than the oldest that the package supports.
import { join } from 'node:path'
import { must } from '../run.mjs'
import { cached } from './cache.mjs'

/** Of the same major version as deploy/Dockerfile. */
const imageNodeVersion = '24.21.0'

/** What the image starts it with, but for the size of the heap, which follows the container there. */
export const imageNodeOptions = '--max-semi-space-size=16'

/** The folder with its `node`, to put before the PATH. npm carries the programs that nodejs.org builds, one package each. */
export async function ensureImageNode() {
  const name = `node-${process.platform}-${process.arch}`
  const folder = await cached(`node-${imageNodeVersion}`, (made) =>
    must('npm', ['install', '--prefix', made, '--no-audit', '--no-fund', `${name}@${imageNodeVersion}`], {
      quiet: true,
    }),
  )
  return join(folder, 'node_modules', name, 'bin')
}
