// Independent S3 servers: versitygw on a folder and moto in memory for the tests, MinIO beside
// versitygw for the benchmarks.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, SetupError } from '../run.mjs'
import { cached } from './cache.mjs'
import { requireGo } from './go.mjs'
import { freePort } from './postgres.mjs'
import { pythonTool } from './python.mjs'

const versitygwVersion = 'v1.8.0'
/** Its release of 2026-02-12, by the name that Go gives to commits. */
const minioVersion = 'v0.0.0-20260212201848-7aac2a2c5b7c'
const startDeadlineMs = 60_000

/** What the tests sign in with; the servers listen on this machine alone. */
const account = { accessKeyId: 'arsenal-tests', secretAccessKey: 'arsenal-tests-secret' }

/** Makes sure that the servers of the tests are in the cache; answers their programs. */
export async function ensureS3() {
  return { versitygw: await ensureVersitygw(), moto: await ensureMoto() }
}

/**
 * Starts those whose program is given, as `ensureS3` answers them. Answers { urls, stop }: `urls` is
 * `versitygw=http://…,moto=http://…`.
 * @param {{ versitygw?: string, moto?: string, minio?: string }} programs
 */
export async function startS3({ versitygw, moto, minio }) {
  const folder = mkdtempSync(join(tmpdir(), 'arsenal-s3-'))
  const servers = []
  const stop = async () => {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (versitygw) servers.push(await serve('versitygw', (port) => versitygwCommand(versitygw, port, folder)))
    if (moto) servers.push(await serve('moto', (port) => [moto, ['-H', '127.0.0.1', '-p', String(port)]]))
    if (minio) servers.push(await serve('minio', (port) => minioCommand(minio, port, folder)))
    return { urls: servers.map(({ name, url }) => `${name}=${url}`).join(','), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function versitygwCommand(program, port, folder) {
  const [objects, sidecar] = ['objects', 'sidecar'].map((name) => join(folder, name))
  for (const path of [objects, sidecar]) mkdirSync(path)
  const { accessKeyId, secretAccessKey } = account
  const flags = ['--port', `127.0.0.1:${port}`, '--access', accessKeyId, '--secret', secretAccessKey]
  // Not every file system of a test machine has extended attributes.
  return [program, [...flags, '--region', 'eu-west-2', '--quiet', 'posix', '--sidecar', sidecar, objects]]
}

function minioCommand(program, port, folder) {
  const drive = join(folder, 'drive')
  mkdirSync(drive)
  const env = {
    MINIO_ROOT_USER: account.accessKeyId,
    MINIO_ROOT_PASSWORD: account.secretAccessKey,
    MINIO_SITE_REGION: 'eu-west-2',
    MINIO_BROWSER: 'off',
    MINIO_UPDATE: 'off',
    // Where it would keep certificates and settings of its own.
    HOME: folder,
  }
  return [program, ['server', '--quiet', '--address', `127.0.0.1:${port}`, drive], env]
}

async function serve(name, commandFor) {
  const port = await freePort()
  const [program, args, settings] = commandFor(port)
  const env = { ...process.env, ...settings }
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let log = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text) => (log = (log + text).slice(-8000)))
  server.on('error', (error) => (log += error.message))
  const ended = new Promise((resolve) => server.on('close', resolve))
  const stopNow = () => server.kill('SIGKILL')
  process.once('exit', stopNow)
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + startDeadlineMs
  while (!(await answers(url))) {
    if (server.exitCode !== null || server.pid === undefined || Date.now() > deadline)
      throw new SetupError(`${name} did not start:\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const stop = async () => {
    process.off('exit', stopNow)
    server.kill('SIGTERM')
    const cut = setTimeout(stopNow, 5000)
    await ended
    clearTimeout(cut)
  }
  return { name, url, stop }
}

/** Whatever it says: somebody is there. */
async function answers(url) {
  return fetch(url).then(
    async (response) => response.text().then(() => true),
    () => false,
  )
}

/** Makes sure that it is in the cache; answers the program. */
export function ensureVersitygw() {
  return goProgram('versitygw', versitygwVersion, 'github.com/versity/versitygw/cmd/versitygw')
}

/** Makes sure that it is in the cache, which takes some minutes the first time; answers the program. */
export function ensureMinio() {
  return goProgram('minio', minioVersion, 'github.com/minio/minio')
}

async function goProgram(name, version, what) {
  const folder = await cached(`${name}-${version}`, async (made) => {
    await requireGo(`${name}, an S3 server, is built, which`)
    const env = { GOBIN: made, GOFLAGS: '-trimpath', CGO_ENABLED: '0' }
    await must('go', ['install', `${what}@${version}`], { quiet: true, env, cwd: tmpdir() })
  })
  return join(folder, name)
}

async function ensureMoto() {
  return join(await pythonTool('moto', 'api/dev/toolchain/moto.txt'), 'moto_server')
}
