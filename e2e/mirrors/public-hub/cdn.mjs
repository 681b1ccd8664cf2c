// The CDN of the public hub: bytes by SHA-256, at signed addresses that expire.
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const chunkBytes = 256 * 1024

export class Cdn {
  /** Requests: { sha256, range, bytes } each, with the bytes that were sent. */
  sent = []
  /** Bytes a second over all answers; 0 for as fast as they are read. */
  slowTo = 0
  /** Of its addresses. The public hub gives an hour; here a kept address is noticed. */
  lifetimeMs = 20_000
  /** The connection breaks once so many bytes of a file have been sent, which happens once a file. */
  cutAfter = Infinity
  #hub
  #faults
  #key = randomBytes(32)
  /** Until when what was promised has been sent, over all answers. */
  #busyUntil = 0

  constructor(hub, faults) {
    this.#hub = hub
    this.#faults = faults
  }

  get host() {
    return new URL(this.#hub.cdnUrl).host
  }

  addressOf(sha256, path) {
    const expires = String(Date.now() + this.lifetimeMs)
    const query = new URLSearchParams({
      'response-content-disposition': `inline; filename="${path.split('/').at(-1)}"`,
      Expires: expires,
      Signature: this.#sign(sha256, expires),
      'Key-Pair-Id': 'K2TESTHUB',
    })
    return `${this.#hub.cdnUrl}/repos/${sha256.slice(0, 2)}/${sha256}?${query}`
  }

  #sign(sha256, expires) {
    return createHmac('sha256', this.#key).update(`${sha256}\n${expires}`).digest('base64url')
  }

  /** Bytes that were sent of a file, over all requests. */
  bytesOf(sha256) {
    return this.sent.filter((one) => one.sha256 === sha256).reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Requests for a file. */
  requestsFor(sha256) {
    return this.sent.filter((one) => one.sha256 === sha256)
  }

  answer(request, response) {
    this.#send(request, response).catch((error) => {
      this.#faults.push(`the CDN failed: ${error.stack}`)
      response.destroy()
    })
    return true
  }

  async #send({ method, url, headers }, response) {
    for (const name of ['authorization', 'cookie'])
      if (headers[name] !== undefined) this.#faults.push(`the CDN was sent ${name}: ${headers[name]}`)
    if (headers.authorization !== undefined)
      return response.writeHead(400).end('<Error><Code>InvalidArgument</Code></Error>')
    const { pathname, searchParams } = new URL(url, this.#hub.cdnUrl)
    const sha256 = pathname.split('/').at(-1)
    const expires = searchParams.get('Expires')
    const isSigned = searchParams.get('Signature') === this.#sign(sha256, expires)
    if (!isSigned || Number(expires) < Date.now()) {
      this.#faults.push(`the CDN was asked for an address that is ${isSigned ? 'expired' : 'not signed'}`)
      return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    }
    const bytes = this.#hub.objects.get(sha256)
    if (!bytes) return response.writeHead(404).end()
    const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
    const isRange = from !== '' || to !== ''
    const start = from === '' ? (isRange ? bytes.length - Number(to) : 0) : Number(from)
    const end = from !== '' && to !== '' ? Math.min(Number(to) + 1, bytes.length) : bytes.length
    const ranged = isRange && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}` }
    response.writeHead(isRange ? 206 : 200, {
      'Content-Length': end - start,
      'Content-Type': 'binary/octet-stream',
      ETag: `"${sha256}"`,
      'Accept-Ranges': 'bytes',
      ...ranged,
    })
    if (method === 'HEAD') return response.end()
    const entry = { sha256, start, end, bytes: 0 }
    this.sent.push(entry)
    await this.#stream(bytes, entry, response)
  }

  async #stream(bytes, entry, response) {
    for (let at = entry.start; at < entry.end && !response.destroyed; at += chunkBytes) {
      const chunk = bytes.subarray(at, Math.min(at + chunkBytes, entry.end))
      await this.#turn(chunk.length)
      await new Promise((resolve) => response.write(chunk, resolve))
      if (!response.destroyed) entry.bytes += chunk.length
      if (entry.bytes >= this.cutAfter && this.requestsFor(entry.sha256).length === 1) response.destroy()
    }
    response.end()
  }

  /** Waits until these bytes may be sent. */
  async #turn(bytes) {
    if (this.slowTo === 0) return
    const from = Math.max(this.#busyUntil, performance.now())
    this.#busyUntil = from + (bytes / this.slowTo) * 1000
    await pause(from - performance.now())
  }
}
