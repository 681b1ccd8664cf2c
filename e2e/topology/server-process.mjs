// One process of a topology: started, frozen, killed and started again at the same address.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { mainJs } from '../fixtures/server.mjs'

const startDeadlineMs = 120_000

export class ServerProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child
  #exited
  #settings
  #env
  #logFile
  #entry = mainJs

  /**
   * `settings` are configuration keys, `env` variables besides those of the tests; `logFile` is appended to, by all
   * processes of a topology.
   */
  constructor({ name, role, port, settings, env = {}, logFile }) {
    this.name = name
    this.role = role
    this.port = port
    this.#settings = settings
    this.#env = env
    this.#logFile = logFile
  }

  get flags() {
    return Object.entries(this.#settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  }

  /** From its next start on. */
  configure(settings) {
    this.#settings = { ...this.#settings, ...settings }
  }

  /** Runs another program than the built server from its next start on. */
  replaceBy(entry) {
    this.#entry = entry
  }

  get pid() {
    return this.#child?.pid
  }

  get isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Resolves when it is ready to serve. */
  async start() {
    if (this.isRunning) return
    const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('SERVICE_')))
    const log = openSync(this.#logFile, 'a')
    this.#child = spawn(process.execPath, [this.#entry, 'serve', ...this.flags], {
      stdio: ['ignore', log, log],
      env: { ...own, ...this.#env },
    })
    closeSync(log)
    this.#exited = once(this.#child, 'exit')
    const deadline = Date.now() + startDeadlineMs
    while (!(await this.#isReady())) {
      if (!this.isRunning || Date.now() > deadline) throw new Error(`${this.name} did not start`)
      await pause(50)
    }
  }

  /** SIGSTOP freezes it and SIGCONT resumes it; SIGTERM and SIGKILL end it, see `ended`. */
  signal(name) {
    if (this.isRunning) this.#child.kill(name)
  }

  async ended() {
    if (this.isRunning) await this.#exited
  }

  async kill() {
    this.signal('SIGKILL')
    await this.ended()
  }

  async stop() {
    // A frozen process handles no signal.
    this.signal('SIGCONT')
    this.signal('SIGTERM')
    await this.ended()
  }

  async #isReady() {
    try {
      return (await fetch(`http://127.0.0.1:${this.port}/readyz`)).ok
    } catch {
      return false
    }
  }
}
