// A large deployment as plain processes on the loopback: Postgres, a server of S3, `web` and `worker` processes of the
// built server, and a proxy in front of the former.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, login, runCli } from '../fixtures/server.mjs'
import { startProxy } from './proxy.mjs'
import { ServerProcess } from './server-process.mjs'
import { openPlace } from './stores.mjs'

/** How bytes travel: clients and bucket by themselves, or through us both ways. */
export const modes = {
  redirect: { 'storage.s3.download_mode': 'redirect', 'storage.s3.upload_mode': 'direct' },
  proxy: { 'storage.s3.download_mode': 'proxy', 'storage.s3.upload_mode': 'proxy' },
}

const adminPassword = 'correct horse battery staple'

/**
 * @typedef {{
 *   mode?: string
 *   settings?: Record<string, string>
 *   ofRole?: Record<string, Record<string, string>>
 *   ofProcess?: (name: string) => { settings?: Record<string, string>, env?: Record<string, string> }
 *   web?: number
 *   workers?: number
 *   dir?: string
 * }} StartOptions
 */

/**
 * A topology that serves. `stores` is what `openStores` answers; `settings` are configuration keys for all processes, and
 * `ofRole` more of them for those of a role, `ofProcess` for one, with its environment.
 */
export class Topology {
  /** @type {string} */
  dir
  /** Whether the folder is made and removed here. */
  isOwnDir = true
  /** @type {Awaited<ReturnType<typeof openPlace>>} */
  place
  /** @type {Awaited<ReturnType<typeof startProxy>>} */
  proxy
  /** @type {number} */
  port
  /** @type {string} */
  url
  /** @type {Record<string, string>} */
  settings
  /** @type {ServerProcess[]} */
  processes

  /**
   * @param {{ postgres: string, s3: string }} stores
   * @param {StartOptions} [options]
   */
  static async start(
    stores,
    { mode = 'redirect', settings = {}, ofRole = {}, ofProcess = () => ({}), web = 2, workers = 2, dir } = {},
  ) {
    const topology = new Topology()
    topology.isOwnDir = dir === undefined
    topology.dir = dir ?? mkdtempSync(join(tmpdir(), 'arsenal-topology-'))
    mkdirSync(topology.dir, { recursive: true })
    topology.place = await openPlace(stores)
    const ports = await freePorts(web + workers)
    topology.proxy = await startProxy(ports.slice(0, web))
    topology.port = topology.proxy.port
    topology.url = `http://127.0.0.1:${topology.port}`
    topology.settings = {
      'server.public_url': topology.url,
      'server.trusted_proxies': '127.0.0.1/32',
      'security.instance_key': randomBytes(32).toString('base64'),
      'security.bootstrap_admin.password': adminPassword,
      'security.anonymous_read': 'true',
      ...topology.place.settings,
      ...modes[mode],
      ...settings,
    }
    topology.processes = ports.map((port, i) => {
      const role = i < web ? 'web' : 'worker'
      return topology.#process(port, role, i, { ofRole: ofRole[role], ofProcess })
    })
    try {
      // All at once: one of them migrates, and one makes the first admin.
      await topology.startProcesses()
    } catch (error) {
      const said = topology.log().slice(-4000)
      await topology.stop()
      throw new Error(`${error.message}\n${said}`)
    }
    return topology
  }

  #process(port, role, i, { ofRole, ofProcess }) {
    const name = `${role}-${i + 1}`
    const { settings: more, env } = ofProcess(name)
    const own = {
      'server.role': role,
      'server.listen': `127.0.0.1:${port}`,
      'server.data_dir': join(this.dir, name),
      'git.cache_dir': join(this.dir, name, 'cache'),
    }
    const { logFile } = this
    const settings = { ...this.settings, ...ofRole, ...own, ...more }
    return new ServerProcess({ name, role, port, settings, env, logFile })
  }

  /** All processes append to it. */
  get logFile() {
    return join(this.dir, 'server.log')
  }

  /** Those of a role, or all. */
  only(role) {
    return this.processes.filter((each) => role === undefined || each.role === role)
  }

  /** Starts those that do not run. */
  async startProcesses(role) {
    await Promise.all(this.only(role).map((each) => each.start()))
  }

  log() {
    return readFileSync(this.logFile, 'utf8')
  }

  /** Runs `arsenal` beside the processes, as their configuration says. */
  async cli(args) {
    const { flags } = this.processes[0]
    return runCli([...args, ...flags])
  }

  async admin() {
    return login(this.url, 'service-admin', adminPassword)
  }

  /** Ends everything; `isKept` leaves the folder and the stored bytes. */
  async stop({ isKept = false } = {}) {
    await Promise.all(this.processes.map((each) => each.stop()))
    this.proxy.stop()
    if (isKept) return
    await this.place.remove()
    if (this.isOwnDir) rmSync(this.dir, { recursive: true, force: true })
  }
}

async function freePorts(count) {
  const ports = new Set()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}
