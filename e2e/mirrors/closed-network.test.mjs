// A server that reaches its upstream by a company's proxy alone, over TLS with a certificate of the company's own authority.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { after, before, test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'
import { download, ended, givenModel, givenOwner } from './upstream.mjs'

/** No name server has it: only the proxy knows where it is. */
const host = 'hub.closed.example'

const given = { stops: [] }
before(async () => {
  given.dir = await mkdtemp(join(tmpdir(), 'arsenal-closed-'))
  given.stops.push(() => rm(given.dir, { recursive: true, force: true }))
  given.upstream = await startServer()
  given.stops.push(() => given.upstream.stop())
  given.owner = await givenOwner(given.upstream)
  const { key, cert } = certify(given.dir)
  const tls = createTlsServer({ key, cert }, (socket) => pipe(socket, given.upstream.port))
  given.proxy = await startConnectProxy(await listen(tls))
  given.stops.push(() => void tls.close())
})
after(async () => {
  for (const stop of given.stops.toReversed()) await stop()
})

/** Makes an authority and a certificate for the host; answers those of the host. */
function certify(dir) {
  const at = (name) => join(dir, name)
  const openssl = (...args) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
  const fresh = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  openssl('req', '-x509', ...fresh, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Company')
  openssl('req', ...fresh, '-keyout', 'host.key', '-out', 'host.csr', '-subj', `/CN=${host}`)
  writeFileSync(at('ext'), `subjectAltName=DNS:${host}\n`)
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'ext']
  openssl('x509', '-req', '-in', 'host.csr', '-out', 'host.pem', ...signing)
  return { key: readFileSync(at('host.key')), cert: readFileSync(at('host.pem')) }
}

function pipe(socket, port) {
  const onward = connect(port, '127.0.0.1')
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ])
    one.on('error', () => other.destroy()).pipe(other)
}

async function listen(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}

/** A proxy that takes callers with a password to the one host. Answers { url, asked }. */
async function startConnectProxy(tlsPort) {
  const proxy = { asked: [] }
  const server = createServer((_, answer) => answer.writeHead(405).end())
  server.on('connect', ({ url, headers }, socket) => {
    proxy.asked.push({ url, headers })
    const isKnown =
      headers['proxy-authorization'] === `Basic ${Buffer.from('staff:secret').toString('base64')}`
    if (!isKnown || url !== `${host}:443`) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    pipe(socket, tlsPort)
  })
  proxy.url = `http://staff:secret@127.0.0.1:${await listen(server)}`
  given.stops.push(() => void server.close())
  return proxy
}

async function startInside(env) {
  const server = await startServer({ 'upstreams.near.base_url': `https://${host}` }, { env })
  given.stops.push(() => server.stop())
  return server
}

test('API, git and files go by the proxy, and trust the authority of the company', async () => {
  const { proxy, owner, upstream, dir } = given
  const server = await startInside({ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem') })
  const { repo, commit, files } = await givenModel(owner, 'closed', { 'model.bin': 40 * 2 ** 20 })
  await owner.native('PATCH', `/repos/models/${repo}`, { visibility: 'private' })
  const admin = await server.login()
  const { findings } = await admin.native('POST', '/admin/upstreams/near/check')
  assert.ok(
    findings.every(({ ok }) => ok),
    JSON.stringify(findings),
  )
  const person = await server.newPerson('puller')
  await person.native('PUT', '/me/upstream-tokens/near', { token: owner.secret })
  const job = await person.native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
  const done = await ended(person, job.id, { minutes: 4 })
  assert.equal(done.status, 'succeeded', JSON.stringify(done))
  const name = `${person.username}/closed`
  const headers = { Authorization: `Bearer ${await person.token()}` }
  assert.ok((await download(server.url, name, commit, 'model.bin', headers)).bytes.equals(files['model.bin']))
  assert.ok(proxy.asked.length > 0)
  // The proxy hears where to go, and none of what is said there.
  assert.ok(!JSON.stringify(proxy.asked).includes(owner.secret))
  assert.ok(!server.log().includes(owner.secret))
  assert.ok(!server.log().includes('staff:secret'))
  assert.ok(upstream.log().length > 0)
})

test('without the authority the check says that the certificate is not trusted', async () => {
  const server = await startInside({ HTTPS_PROXY: given.proxy.url })
  const admin = await server.login()
  const state = await admin.native('POST', '/admin/upstreams/near/check')
  assert.equal(state.healthy, false)
  assert.match(JSON.stringify(state.findings), /certificate/i)
})
