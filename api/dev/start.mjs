// npm start: installs and builds what is not up to date, then serves in this very process.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { checkTools, ensureInstalled } from './install.mjs'
import { main, root } from './run.mjs'

await main(async () => {
  const flags = process.argv.slice(2)
  await checkTools()
  await ensureInstalled()
  await ensureBuilt()
  const server = join(root, 'dist', 'api', 'main.js')
  process.argv = [process.execPath, server, 'serve', '--quick-start', '.arsenal', ...flags]
  await import(pathToFileURL(server).href)
})
