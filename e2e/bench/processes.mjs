// What a server uses before its first request, and the programs it is compared with.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startServer } from '../fixtures/server.mjs'
import { median, mib, residentBytes, row, seconds } from './measure.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Starts a reference program of this folder on a free port. */
export async function helper(script, ...args) {
  const port = await freePort()
  const child = spawn(process.execPath, [here(script), String(port), ...args], { stdio: 'inherit' })
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      break
    } catch {
      await pause(20)
    }
  }
  return { port, child, url: `http://127.0.0.1:${port}` }
}

/** Starts nginx with one worker; `directives` say what it serves. */
export async function nginx(dir, directives) {
  const port = await freePort()
  const conf = join(dir, 'nginx.conf')
  await writeFile(
    conf,
    `${process.getuid() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log stderr error;
     events { worker_connections 64; }
     http { access_log off; sendfile on; server { listen 127.0.0.1:${port}; ${directives} } }`,
  )
  const child = spawn('nginx', ['-c', conf, '-p', dir], { stdio: 'inherit' })
  await once(child, 'spawn')
  await pause(500)
  return { child, url: `http://127.0.0.1:${port}` }
}

/** As `npm start` does: without a chosen password, whose strength would have to be judged. */
const quickStart = { 'security.bootstrap_admin.password': '' }

export async function start() {
  const times = []
  for (let i = 0; i < 5; i++) {
    let server
    times.push(await seconds(async () => (server = await startServer(quickStart))))
    await server.stop()
  }
  const figure = median(times)
  return row('empty start to /readyz', `${figure.toFixed(2)} s`, '', figure, '≤ 1.0 s', figure <= 1)
}

export async function idle() {
  const server = await startServer(quickStart)
  await pause(3000)
  const figure = residentBytes(server.pid)
  await server.stop()
  return row('idle resident memory', mib(figure), '', figure / 2 ** 20, '≤ 150 MB', figure <= 150e6)
}
