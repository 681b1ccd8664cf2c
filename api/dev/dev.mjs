// npm run dev: the API from its sources, restarted on change, and the pages with hot reload, over seeded example data in
// `.arsenal/dev`. Everything after `--` goes to the server, such as `--set jobs.workers=1`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { checkTools, ensureInstalled } from './install.mjs'
import { main, must, root } from './run.mjs'

const folder = '.arsenal/dev'
/** Where Vite serves the pages; it hands everything else on to the API (`vite.config.ts`). */
const pages = 'http://localhost:5173'
const settings = [
  'server.listen=127.0.0.1:8080',
  `server.public_url=${pages}`,
  'security.anonymous_read=true',
  'telemetry.log_format=text',
].flatMap((setting) => ['--set', setting])

/** Out of the terminal's process group: a second signal, besides ours, would make tsx kill the server at once. */
function start(command, args) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'inherit', 'inherit']
  return spawn(`node_modules/.bin/${command}`, args, { cwd: root, stdio, detached: true })
}

/** Runs both until one ends or the person interrupts; then ends the other. */
async function serve(flags) {
  const server = ['watch', '--clear-screen=false', 'api/main.ts', 'serve', '--quick-start', folder]
  const children = [
    start('tsx', [...server, ...settings, ...flags]),
    start('vite', ['--config', 'vite.config.ts', '--strictPort', '--clearScreen', 'false']),
  ]
  const ends = children.map((child) => once(child, 'exit'))
  const interrupted = ['SIGINT', 'SIGTERM'].map((signal) => once(process, signal))
  await Promise.race([...ends, ...interrupted])
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ends)
}

await main(async () => {
  await checkTools()
  await ensureInstalled()
  await must('node_modules/.bin/tsx', ['api/dev/seed.ts', '--data', folder, ...settings])
  process.stdout.write(`\nPages: ${pages}   API: http://127.0.0.1:8080   reference: ${pages}/docs/api\n\n`)
  await serve(process.argv.slice(2))
})
