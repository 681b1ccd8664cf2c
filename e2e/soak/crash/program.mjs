// Starts, controls and kills the server of server.ts, again and again over one data folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, login } from '../../fixtures/server.mjs'
import { serverJs } from './build.mjs'
import { folderPlace } from './places.mjs'

const password = 'correct horse battery staple'
export const owner = 'service-admin'
/** What Node answers when a message goes to a process that has just ended. */
const channelErrors = new Set(['ERR_IPC_CHANNEL_CLOSED', 'EPIPE', 'ECONNRESET'])

/** @typedef {{ body?: any, headers?: Record<string, string> }} Sent */
/** @typedef {ReturnType<typeof folderPlace> | Awaited<ReturnType<typeof import('./places.mjs').storesPlace>>} Place */

/** One place of stored things, served by one process after another at the same address. */
export class Program {
  /** @type {string} */
  dir
  /** @type {Place} */
  place
  /** @type {string} */
  url
  /** @type {Record<string, unknown>} */
  settings
  /** @type {string} */
  token
  /** @type {import('node:child_process').ChildProcess} */
  #child
  #messages = new Map()
  #lastId = 0

  /**
   * In a folder of its own, unless `openPlace` leads elsewhere.
   * @param {(dir: string) => Place | Promise<Place>} openPlace
   */
  static async start(settings = {}, openPlace = folderPlace) {
    const program = new Program()
    program.dir = mkdtempSync(join(tmpdir(), 'arsenal-crash-'))
    program.place = await openPlace(program.dir)
    const port = await freePort()
    program.url = `http://127.0.0.1:${port}`
    program.settings = {
      'server.listen': `127.0.0.1:${port}`,
      'server.public_url': program.url,
      'server.data_dir': program.dir,
      'git.cache_dir': join(program.dir, 'cache', 'git'),
      'security.bootstrap_admin.password': password,
      'telemetry.log_level': 'warn',
      ...program.place.settings,
      ...settings,
    }
    await program.serve()
    program.token = await (await login(program.url, owner, password)).token('crash')
    return program
  }

  /** Starts the server again; requests to the killed one are dropped. */
  async serve() {
    const log = openSync(join(this.dir, 'server.log'), 'a')
    const flags = Object.entries(this.settings).map(([key, value]) => `${key}=${value}`)
    const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('SERVICE_')))
    this.#child = spawn(process.execPath, [serverJs, ...flags], {
      stdio: ['ignore', log, log, 'ipc'],
      env: own,
    })
    this.#messages.clear()
    /** @type {Promise<void>} */
    const ready = new Promise((resolve, reject) => {
      this.#child.on('message', (/** @type {any} */ { ready, id, result, error }) => {
        if (ready) return resolve()
        const waiting = this.#messages.get(id)
        if (error === undefined) waiting?.resolve(result)
        else waiting?.reject(new Error(error))
      })
      this.#child.on('exit', (code, signal) => {
        const died = new Error(`the server has gone (${signal ?? code})\n${this.log().slice(-3000)}`)
        reject(died)
        for (const waiting of this.#messages.values()) waiting.reject(died)
      })
    })
    await ready
  }

  /** Sends the server one request of server.ts. Rejects with the channel's error when the process just died. */
  tell(request) {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#messages.set(id, { resolve, reject })
      // Without a callback, a closed channel is an `error` event of the child, which ends the whole test.
      this.#child.send({ id, request }, (error) => error && reject(error))
    })
  }

  /**
   * Waits until no job is due, so that the steps that are counted are those of the request. The purge of a deleted repo
   * is queued for a week later.
   */
  async idle() {
    const isDue = ({ run_after }) => run_after === undefined || Date.parse(run_after) <= Date.now()
    for (const status of ['queued', 'running'])
      while ((await this.native('GET', `/jobs?status=${status}&limit=100`)).items.some(isDue)) await pause(20)
  }

  /** Ends the counting of steps; false when a job died first. */
  async disarm() {
    try {
      await this.tell({ arm: null })
      return true
    } catch (error) {
      if (!(await this.isDying(error))) throw error
      return false
    }
  }

  get hasDied() {
    return this.#child.signalCode !== null || this.#child.exitCode !== null
  }

  /** Whether the process has ended, or ends in a moment: a lost connection is noticed before the exit behind it. */
  async isDying(failure) {
    const isCutOff = failure instanceof TypeError || channelErrors.has(failure?.code)
    const longestMs = isCutOff ? 10_000 : 50
    for (let waitedMs = 0; !this.hasDied && waitedMs < longestMs; waitedMs += 10) await pause(10)
    return this.hasDied
  }

  async kill() {
    if (this.hasDied) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  /** Where the server last killed itself. */
  lastCrash() {
    const file = join(this.dir, 'crashes.log')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').at(-1) : undefined
  }

  log() {
    const file = join(this.dir, 'server.log')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  async remove() {
    await this.kill()
    await this.place.remove()
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** Calls the server; answers { status, headers, bytes, text, json }. A redirect is answered, not followed. */
  async call(method, path, /** @type {Sent} */ { body, headers = {} } = {}) {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const answer = await fetch(path.startsWith('http') ? path : this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(isRaw ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return {
      status: answer.status,
      headers: answer.headers,
      bytes,
      text: bytes.toString(),
      get json() {
        return JSON.parse(bytes.toString())
      },
    }
  }

  /** As `call` on the native API, where anything but success is an error. */
  async native(method, path, body) {
    const answer = await this.call(method, `/api/service/v1${path}`, { body })
    if (answer.status >= 300)
      throw Object.assign(new Error(`${method} ${path}: ${answer.status} ${answer.text}`), { answer })
    return answer.text === '' ? undefined : answer.json
  }
}
