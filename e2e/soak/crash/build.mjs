// Bundles the server of this folder as `npm run build` bundles the real one, beside the same workers.
import { join } from 'node:path'
import { bundleServer } from '../../../api/dev/build.mjs'
import { root } from '../../../api/dev/run.mjs'

const folder = join(root, '.cache', 'crash')
export const serverJs = join(folder, 'server.js')

export async function buildCrashServer() {
  await bundleServer(folder, { server: join(root, 'e2e/soak/crash/server.ts') })
}
