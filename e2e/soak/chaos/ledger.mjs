// People who work whatever happens, and what the server has acknowledged to them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { unique } from '../../topology/caller.mjs'

const people = 6
/** One change of so many is a large file; one is a repo. */
const largeEvery = 4
const repoEvery = 9
/** A refusal of what cannot be done now, a cut connection, a proxy without a server, a full disk. */
const passing = [0, 409, 502, 503, 507]
const base = '/api/service/v1'
/** Between two changes of one person; a machine that is busy with other work gives it more. */
const pauseMs = Number(process.env['CHAOS_PAUSE_MS'] ?? 50)

/** Works until the signal aborts. `read` compares everything that was acknowledged with what is there. */
export class Ledger {
  /** @type {Map<string, Buffer>} By repo and path. */
  files = new Map()
  /** @type {{ id: string, name: string, path: string }[]} */
  repos = []
  /** How often each status was answered. */
  answers = {}
  #caller

  constructor(caller) {
    this.#caller = caller
  }

  /** Makes the first repo, which takes a server that works. */
  async begin() {
    this.repos.push(await this.#caller.givenRepo())
  }

  async work(over) {
    await Promise.all(Array.from({ length: people }, () => this.#person(over)))
  }

  async #person(over) {
    for (let i = 1; !over.aborted; i++) {
      if (i % repoEvery === 0) await this.#create()
      else await this.#change(this.repos[i % this.repos.length], i % largeEvery === 0)
      await pause(pauseMs)
    }
  }

  /** One request; answers its JSON, or nothing where it was refused for now. */
  async #ask(method, path, body) {
    const { status, bytes } = await this.#caller.ask(method, base + path, body)
    this.answers[status] = (this.answers[status] ?? 0) + 1
    if (status >= 200 && status < 300) return JSON.parse(bytes.toString())
    assert.ok(passing.includes(status), `${method} ${path}: ${status} ${bytes.toString().slice(0, 500)}`)
    await pause(200)
    return undefined
  }

  async #create() {
    const name = `repo-${unique()}`
    const made = await this.#ask('POST', '/repos', { type: 'model', ns: 'service-admin', name })
    if (made) this.repos.push({ id: made.id, name, path: `/repos/models/service-admin/${name}` })
  }

  async #change(repo, isLarge) {
    const path = `${unique()}.${isLarge ? 'bin' : 'txt'}`
    const bytes = isLarge ? randomBytes(200_000) : Buffer.from(`${path}\n`)
    const add = isLarge ? await this.#uploaded(repo, path, bytes) : { text: bytes.toString() }
    if (!add) return
    const operations = [{ op: 'add', path, ...add }]
    const made = await this.#ask('POST', `${repo.path}/commits`, { title: path, operations })
    if (made) this.files.set(`${repo.name} ${path}`, bytes)
  }

  async #uploaded(repo, path, bytes) {
    try {
      return { lfs: await this.#caller.upload(repo, path, bytes) }
    } catch (error) {
      // An upload that was refused for longer than a caller insists is begun again with another file.
      assert.match(error.message, /: (?:0|409|502|503|507) /)
      return undefined
    }
  }

  async read() {
    const { files, repos } = this
    for (const { name } of repos) assert.ok(await this.#isThere(name), `the repo ${name} is lost`)
    for (const [key, bytes] of files) {
      const [name, path] = key.split(' ')
      assert.deepEqual(await this.#caller.read({ name }, path), bytes, `${key} is lost`)
    }
  }

  async #isThere(name) {
    const { status } = await this.#caller.insist('GET', `${base}/repos/models/service-admin/${name}`)
    return status === 200
  }
}
