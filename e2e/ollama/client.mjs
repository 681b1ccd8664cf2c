// One `ollama serve` with a folder and a key of its own, and its commands.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../fixtures/listen.mjs'
import { freePort } from '../fixtures/server.mjs'

const program = process.env['ARSENAL_OLLAMA']

export async function startOllama() {
  if (!program) throw new Error('ARSENAL_OLLAMA must name the program')
  const home = await mkdtemp(join(tmpdir(), 'ollama-'))
  const models = join(home, 'models')
  const env = {
    ...process.env,
    HOME: home,
    OLLAMA_HOST: `127.0.0.1:${await freePort()}`,
    OLLAMA_MODELS: models,
    NO_COLOR: '1',
  }
  const server = spawn(program, ['serve'], { env, stdio: 'ignore' })
  const exited = once(server, 'exit')
  const begin = (...args) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    return { child, ended: once(child, 'close').then(([code]) => ({ code, said })) }
  }
  const ollama = {
    begin,
    run: (...args) => begin(...args).ended,
    /** The line of its public key, which people save on their page. */
    publicKey: async () => (await readFile(join(home, '.ollama', 'id_ed25519.pub'), 'utf8')).trim(),
    /** Bytes on disk of what was not wholly loaded. */
    partialBytes: async () => {
      const folder = join(models, 'blobs')
      const names = existsSync(folder) ? await readdir(folder) : []
      const partial = names.filter((name) => name.endsWith('-partial'))
      const sizes = await Promise.all(
        partial.map(async (name) => (await stat(join(folder, name))).blocks * 512),
      )
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    stop: async () => {
      server.kill('SIGTERM')
      await exited
      await rm(home, { recursive: true, force: true })
    },
  }
  for (let tries = 0; (await ollama.run('list')).code !== 0; tries++) {
    if (tries > 150) throw new Error('ollama serve did not start')
    await pause(200)
  }
  return ollama
}

/** A way to the server at its `port`. It counts what comes back, and can be made slow. */
export async function startProxy() {
  const proxy = { port: 0, received: 0, delayMs: 0 }
  const server = createServer((socket) => {
    const onward = connect(proxy.port, '127.0.0.1')
    socket.pipe(onward)
    onward.on('data', async (chunk) => {
      proxy.received += chunk.length
      onward.pause()
      if (proxy.delayMs > 0) await pause(proxy.delayMs)
      if (socket.write(chunk)) onward.resume()
      else socket.once('drain', () => onward.resume())
    })
    onward.on('end', () => socket.end())
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ])
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  proxy.host = `127.0.0.1:${await listen(server)}`
  proxy.stop = () => server.close()
  return proxy
}
