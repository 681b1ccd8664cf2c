// A client of a topology over HTTP that retries while it is busy.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const base = '/api/service/v1'
const owner = 'service-admin'
const pauseMs = 100

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex')
export const unique = () => randomBytes(6).toString('hex')

export class Caller {
  /** How often the answer was one to ask again after. */
  repeated = 0
  /** @type {string} */
  url
  /** @type {string} */
  token

  static async of(topology, name = 'topology') {
    const caller = new Caller()
    caller.url = topology.url
    caller.token = await (await topology.admin()).token(name)
    return caller
  }

  /** One request: { status, headers, bytes }. A connection that was cut is status 0. */
  async ask(method, path, body) {
    const isBytes = body instanceof Uint8Array
    const address = new URL(path, this.url)
    // A signed address of the store carries its own right.
    const isOurs = address.origin === this.url
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    try {
      const answer = await fetch(address, {
        method,
        headers: {
          ...(isOurs && { Authorization: `Bearer ${this.token}` }),
          ...(isOurs && body !== undefined && { 'Content-Type': type }),
        },
        ...(body !== undefined && { body: isBytes ? /** @type {BodyInit} */ (body) : JSON.stringify(body) }),
      })
      return {
        status: answer.status,
        headers: answer.headers,
        bytes: Buffer.from(await answer.arrayBuffer()),
      }
    } catch (error) {
      return { status: 0, headers: new Headers(), bytes: Buffer.from(String(error.cause ?? error)) }
    }
  }

  /** As `ask`, repeated while the answer says to retry, for `longestMs`. */
  async insist(method, path, body, longestMs = 60_000) {
    for (const until = Date.now() + longestMs; ;) {
      const answer = await this.ask(method, path, body)
      const isLater = answer.status === 503 || answer.status === 502 || answer.status === 0
      if (!isLater || Date.now() > until) return answer
      // What cannot be done now says when to come back; a proxy without a server says nothing.
      if (answer.status === 503)
        assert.match(answer.headers.get('Retry-After') ?? '', /^\d+$/, `${method} ${path}`)
      this.repeated++
      await pause(pauseMs)
    }
  }

  /** Insists on success of a native operation; answers its JSON. */
  async native(method, path, body) {
    const { status, bytes } = await this.insist(method, base + path, body)
    assert.ok(status >= 200 && status < 300, `${method} ${path}: ${status} ${bytes.toString().slice(0, 500)}`)
    return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
  }

  async givenRepo(name = `repo-${unique()}`) {
    const { id } = await this.native('POST', '/repos', { type: 'model', ns: owner, name })
    return { id, name, path: `/repos/models/${owner}/${name}` }
  }

  /** Uploads a large file; answers what a commit says of it. */
  async upload(repo, path, bytes) {
    const object = { sha256: sha256Of(bytes), size: bytes.length }
    const plan = await this.native('POST', `${repo.path}/uploads`, { files: [{ path, ...object }] })
    const { upload } = plan.files[0]
    if (upload) await this.#send(`${repo.path}/uploads/${upload.id}`, bytes)
    return object
  }

  async #send(at, bytes) {
    const part = await this.native('PUT', `${at}/parts/1`, bytes)
    await this.native('POST', `${at}/complete`, { parts: [{ n: 1, etag: part.etag }] })
  }

  async commit(repo, operations, branch) {
    return this.native('POST', `${repo.path}/commits`, {
      title: 'work',
      operations,
      ...(branch && { branch }),
    })
  }

  /** The bytes of a file; undefined when it is not there. */
  async read(repo, path, branch = 'main') {
    for (;;) {
      const got = await this.insist('GET', `/${owner}/${repo.name}/resolve/${branch}/${path}`)
      if (got.status === 404) return undefined
      assert.equal(got.status, 200, got.bytes.toString().slice(0, 500))
      return got.bytes
    }
  }

  async job(id) {
    return this.native('GET', `/jobs/${id}`)
  }

  /** Waits until a job is as `isSo` says; answers it. */
  async untilJob(id, isSo, longestMs = 90_000) {
    for (const until = Date.now() + longestMs; Date.now() < until; await pause(pauseMs)) {
      const job = await this.job(id)
      if (isSo(job)) return job
    }
    assert.fail(`the job stayed ${JSON.stringify(await this.job(id))}`)
  }
}
