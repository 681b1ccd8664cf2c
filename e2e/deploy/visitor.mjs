// A server behind a proxy, and a client that speaks to it through the proxy.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort, startServer } from '../fixtures/server.mjs'
import { makeCertificate } from './front.mjs'

export const name = 'models.example.com'
export const dir = mkdtempSync(join(tmpdir(), 'arsenal-proxies-'))
export const certificate = makeCertificate(dir)
after(() => rmSync(dir, { recursive: true, force: true }))

/**
 * What a request brings, and the loopback address it comes from.
 * @typedef {{ headers?: Record<string, string>, body?: string | Buffer, from?: string }} Sent
 */

/** A server, a person, a repo of theirs, and the proxy that `start` makes. */
export async function open(start, { scheme = 'https' } = {}) {
  const port = await freePort()
  const origin = `${scheme}://${name}:${port}`
  const server = await startServer({ 'server.public_url': origin, 'server.trusted_proxies': '127.0.0.1/32' })
  try {
    const folder = mkdtempSync(join(dir, 'proxy-'))
    const proxy = await start({ dir: folder, port, target: `127.0.0.1:${server.port}`, certificate })
    const person = await server.login()
    const token = await person.token()
    await person.native('POST', '/repos', { type: 'model', ns: person.username, name: 'weights' })
    const repo = `${person.username}/weights`
    return { port, origin, server, proxy, token, repo, scheme }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Begins a request through the proxy; answers it with `answer`, a promise of { status, headers, body }. */
export function begin(front, method, path, headers = {}, from = '127.0.0.1') {
  const own = { Host: `${name}:${front.port}`, ...headers }
  const to = {
    host: '127.0.0.1',
    port: front.port,
    localAddress: from,
    agent: false,
    method,
    path,
    headers: own,
  }
  const tls = { servername: name, ca: readFileSync(certificate.cert) }
  const request = front.scheme === 'https' ? tlsRequest({ ...to, ...tls }) : plainRequest(to)
  const answer = once(request, 'response').then(async ([response]) => {
    const body = Buffer.concat(await response.toArray())
    return { status: response.statusCode, headers: response.headers, body }
  })
  answer.catch(() => undefined)
  return { request, answer }
}

export async function ask(front, method, path, /** @type {Sent} */ { headers, body, from } = {}) {
  const { request, answer } = begin(front, method, path, headers, from)
  request.end(body)
  return answer
}

export const bearer = ({ token }) => ({ Authorization: `Bearer ${token}` })

/** Where the large file of these bytes goes, as the server gives it to a client of the proxy. */
export async function uploadAddress(front, bytes) {
  const object = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  const answer = await ask(front, 'POST', `/${front.repo}.git/info/lfs/objects/batch`, {
    headers: { ...bearer(front), 'Content-Type': 'application/vnd.git-lfs+json' },
    body: JSON.stringify({ operation: 'upload', transfers: ['basic'], objects: [object] }),
  })
  assert.equal(answer.status, 200, answer.body.toString())
  const [{ actions }] = JSON.parse(answer.body.toString()).objects
  const { pathname, search } = new URL(actions.upload.href)
  return { path: `${pathname}${search}`, oid: object.oid }
}

/** Answers the address of the commit's page, which the server builds from what the proxy says of the request. */
export async function commit(front, lines, /** @type {Sent} */ { headers = {}, from } = {}) {
  const header = { key: 'header', value: { summary: 'add files' } }
  const answer = await ask(front, 'POST', `/api/models/${front.repo}/commit/main`, {
    from,
    headers: { ...bearer(front), 'Content-Type': 'application/x-ndjson', ...headers },
    body: [header, ...lines].map((line) => JSON.stringify(line)).join('\n'),
  })
  assert.equal(answer.status, 200, answer.body.toString())
  return new URL(JSON.parse(answer.body.toString()).commitUrl)
}

export const textFile = (path, text) => {
  const content = Buffer.from(text).toString('base64')
  return { key: 'file', value: { path, content, encoding: 'base64' } }
}
