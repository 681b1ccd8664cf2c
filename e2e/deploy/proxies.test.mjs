// Debian's nginx and Caddy, configured by the files of deploy/, before the built server.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { ensureCaddy } from '../../api/dev/toolchain/caddy.mjs'
import { freePort } from '../fixtures/server.mjs'
import { caddy, nginxOfCompose, nginxWithTls } from './front.mjs'
import {
  ask,
  bearer,
  begin,
  certificate,
  commit,
  dir,
  name,
  open,
  textFile,
  uploadAddress,
} from './visitor.mjs'

const run = promisify(execFile)
const MIB = 1024 * 1024
/** What deploy/nginx/proxy.conf allows one address at once. */
const MOST_REQUESTS = 256

/** What every proxy has to let through. */
function behaves(get) {
  test('a large file goes up and comes down', async () => {
    const front = get()
    const bytes = randomBytes(24 * MIB)
    const { path, oid } = await uploadAddress(front, bytes)
    const put = await ask(front, 'PUT', path, { body: bytes })
    assert.equal(put.status, 200, put.body.toString())
    const value = { path: 'model.bin', algo: 'sha256', oid, size: bytes.length }
    const { origin } = await commit(front, [{ key: 'lfsFile', value }])
    assert.equal(origin, front.origin)
    const got = await ask(front, 'GET', `/${front.repo}/resolve/main/model.bin`, { headers: bearer(front) })
    assert.equal(got.status, 200)
    assert.ok(got.body.equals(bytes))
  })

  test('a body passes while it is sent: a refusal comes before its end', async () => {
    const { request, answer } = begin(get(), 'PUT', '/lfs/objects/none', { 'Content-Length': 100 * MIB })
    request.on('error', () => undefined)
    request.write(randomBytes(MIB))
    const { status } = await answer
    assert.ok(status >= 400 && status < 500, `answered ${status}`)
    request.destroy()
  })

  test('a path arrives as it was sent', async () => {
    const front = get()
    await commit(front, [textFile('a folder/x.txt', 'inside a folder')])
    const path = `/${front.repo}/resolve/main/a%20folder%2Fx.txt`
    const { status, body } = await ask(front, 'GET', path, { headers: bearer(front) })
    assert.deepEqual({ status, body: body.toString() }, { status: 200, body: 'inside a folder' })
  })

  test('the server does not believe a client what only the proxy may say', async () => {
    const front = get()
    const forged = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Host': 'evil.example',
      'X-Request-Id': 'forged',
    }
    const answer = await ask(front, 'POST', '/api/service/v1/auth/login', {
      from: '127.0.0.2',
      headers: { ...forged, 'Content-Type': 'application/json', Origin: front.origin },
      body: JSON.stringify({ username: 'none', password: 'no such password' }),
    })
    assert.equal(answer.status, 401, answer.body.toString())
    const id = answer.headers['x-request-id']
    assert.ok(id && id !== 'forged')
    const line = front.server
      .log()
      .split('\n')
      .find((text) => text.includes(id))
    assert.equal(JSON.parse(line).ip, '127.0.0.2')
  })

  test('git clones', async () => {
    const front = get()
    const address = front.origin.replace('://', `://pat:${front.token}@`)
    const flags = ['-c', `http.curloptResolve=${name}:${front.port}:127.0.0.1`]
    const clone = join(mkdtempSync(join(dir, 'clone-')), 'weights')
    const own = {
      GIT_SSL_CAINFO: certificate.cert,
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    }
    const env = { ...process.env, ...own }
    await run('git', [...flags, 'clone', '-q', `${address}/${front.repo}`, clone], { env })
    assert.equal(readFileSync(join(clone, 'a folder', 'x.txt'), 'utf8'), 'inside a folder')
  })
}

/** HTTP/2: a request for each of its streams. */
function speaksHttp2(get) {
  test('a large file goes up over HTTP/2', async () => {
    const front = get()
    const bytes = randomBytes(24 * MIB)
    const { path } = await uploadAddress(front, bytes)
    const session = connectHttp2(`https://127.0.0.1:${front.port}`, {
      servername: name,
      ca: readFileSync(certificate.cert),
    })
    try {
      const stream = session.request({
        ':method': 'PUT',
        ':path': path,
        ':authority': `${name}:${front.port}`,
      })
      stream.end(bytes)
      const [headers] = await once(stream, 'response')
      assert.equal(headers[':status'], 200)
      await stream.resume().toArray()
    } finally {
      session.close()
    }
  })
}

/** `limit_conn`: one address fills its share; others, and itself afterwards, are served. */
function limitsAddresses(get, { headers = {}, other }) {
  test(`${MOST_REQUESTS} requests at once of one address, and the next learns when to retry`, async () => {
    const front = get()
    const stalled = Array.from({ length: MOST_REQUESTS + 20 }, () => {
      const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': 100 }
      const { request, answer } = begin(front, 'POST', '/api/service/v1/auth/login', sent)
      request.on('error', () => undefined)
      request.write('{')
      return { request, answer }
    })
    try {
      const refused = await Promise.any(stalled.map(async ({ answer }) => answer))
      assert.equal(refused.status, 503)
      assert.equal(refused.headers['retry-after'], '5')
      assert.equal(refused.headers['content-type'], 'application/problem+json')
      const { code, status, detail } = JSON.parse(refused.body.toString())
      assert.deepEqual({ code, status }, { code: 'temporarily-unavailable', status: 503 })
      assert.match(detail, /^This address has 256 requests under way\./)
      assert.equal(
        (await ask(front, 'GET', '/healthz', { headers: other.headers, from: other.from })).status,
        200,
      )
    } finally {
      for (const { request } of stalled) request.destroy()
    }
    for (let i = 0; i < 100; i++) {
      if ((await ask(front, 'GET', '/healthz', { headers })).status === 200) return
    }
    assert.fail('the address is still refused after its requests ended')
  })
}

describe('nginx with TLS', () => {
  let front
  before(async () => {
    const plainPort = await freePort()
    front = await open((place) => nginxWithTls({ ...place, plainPort }))
    front.plainPort = plainPort
  })
  after(async () => {
    await front?.proxy.stop()
    await front?.server.stop()
  })
  behaves(() => front)
  speaksHttp2(() => front)
  limitsAddresses(() => front, { other: { from: '127.0.0.3' } })

  test('plain HTTP is sent to HTTPS', async () => {
    const { plainPort: port } = front
    const { status, headers } = await ask({ ...front, port, scheme: 'http' }, 'GET', '/docs/a%2Fb?x=1')
    assert.deepEqual([status, headers.location], [308, `https://${name}/docs/a%2Fb?x=1`])
  })
})

describe('nginx of compose.yaml', () => {
  let front
  before(async () => (front = await open(nginxOfCompose, { scheme: 'http' })))
  after(async () => {
    await front?.proxy.stop()
    await front?.server.stop()
  })
  behaves(() => front)
  // As a proxy with TLS on the same machine says.
  limitsAddresses(() => front, {
    headers: { 'X-Forwarded-For': '198.51.100.1' },
    other: { headers: { 'X-Forwarded-For': '198.51.100.2' } },
  })

  test('the scheme that a proxy with TLS on this machine names counts, and that of another address does not', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' }
    const schemeFor = async (from) =>
      (await commit(front, [textFile(`from-${from}.txt`, from)], { headers, from })).protocol
    assert.deepEqual([await schemeFor('127.0.0.1'), await schemeFor('127.0.0.2')], ['https:', 'http:'])
  })
})

describe('Caddy', () => {
  let front
  before(async () => {
    const program = await ensureCaddy()
    front = await open((place) => caddy({ ...place, program }))
  })
  after(async () => {
    await front?.proxy.stop()
    await front?.server.stop()
  })
  behaves(() => front)
  speaksHttp2(() => front)
})
