// Failed sign-ins by strangers lock no user out; an admin locks a user out at once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTarget } from './target.mjs'

const NATIVE = '/api/service/v1'
const HF_CLIENT = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** How long a running server may still let in who was put out beside it, in milliseconds. */
const AT_ONCE_MS = 3000

let target
let alice
let token

before(async () => {
  target = await openTarget()
  alice = await target.newPerson('alice')
  token = await alice.token('laptop')
  await alice.native('POST', '/repos', { type: 'model', ns: alice.username, name: 'tiny' })
})
after(() => target?.stop())

/** One request from a loopback address; answers status, headers and body. */
async function ask(path, { from = '127.0.0.1', method = 'GET', headers = {}, body = '' } = {}) {
  const options = { method, headers, localAddress: from, agent: false }
  const asking = request(new URL(path, target.url), options)
  asking.end(body)
  const [answer] = await once(asking, 'response')
  const text = (await answer.toArray()).join('')
  const json = /json/.test(answer.headers['content-type'] ?? '') && text !== '' ? JSON.parse(text) : undefined
  return { status: answer.statusCode, headers: answer.headers, json }
}

const statusOf = async (path, options) => (await ask(path, options)).status
const basic = (name, password) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const refsOf = (name, password, from) =>
  ask(`/${alice.username}/tiny.git/info/refs?service=git-upload-pack`, {
    from,
    headers: { Authorization: basic(name, password) },
  })
const signIn = (person, from, password = person.password) =>
  ask(`${NATIVE}/auth/login`, {
    from,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: person.username, password }),
  })
const form = (path, fields, options = {}) =>
  ask(path, {
    ...options,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...options.headers },
    body: new URLSearchParams(fields).toString(),
  })

describe('wrong git passwords for a name', () => {
  for (const { times, from } of [
    { times: 10, from: '127.0.0.2' },
    { times: 200, from: '127.0.0.3' },
  ])
    test(`${times} of them lock that address for passwords, but no tokens, and no other address of the owner`, async () => {
      const answers = await target.withstand(async () => {
        const seen = []
        for (let n = 0; n < times; n++) seen.push(await refsOf(alice.username, `wrong-${n}`, from))
        return seen
      })
      assert.deepEqual(
        [...new Set(answers.slice(0, 10).map(({ status }) => status))],
        [401],
        'ten may be wrong',
      )
      for (const { status, headers } of answers.slice(10)) {
        assert.equal(status, 429)
        assert.ok(Number(headers['retry-after']) > 0)
      }
      const locked = await signIn(alice, from)
      assert.deepEqual([locked.status, locked.json.code], [429, 'throttled'])
      for (const address of ['127.0.0.1', from]) {
        assert.equal((await refsOf(alice.username, token, address)).status, 200)
        const bearer = { from: address, headers: { Authorization: `Bearer ${token}` } }
        assert.equal(await statusOf('/api/whoami-v2', bearer), 200)
      }
      assert.equal((await signIn(alice, '127.0.0.1')).status, 200)
    })

  test('for many names lock the address, and admins sign in from theirs', async () => {
    const from = '127.0.0.4'
    for (let n = 0; n < 60; n++) await refsOf(`name-${n}`, 'wrong', from)
    assert.equal((await refsOf('another', 'wrong', from)).status, 429)
    assert.equal((await refsOf(alice.username, token, from)).status, 200)
    await target.login()
  })
})

describe('device logins', () => {
  test('100 that wait at one address do not block another person behind it', async () => {
    const from = '127.0.0.5'
    await target.withstand(async () => {
      for (let n = 0; n < 100; n++)
        assert.equal((await form('/oauth/device', { client_id: HF_CLIENT }, { from })).status, 200)
    })
    const begun = await form('/oauth/device', { client_id: HF_CLIENT }, { from })
    assert.equal(begun.status, 200)
    const { device_code, user_code } = begun.json
    const grant = { grant_type: DEVICE_GRANT, device_code, client_id: HF_CLIENT }
    const waiting = await form('/oauth/token', grant, { from })
    assert.deepEqual([waiting.status, waiting.json.error], [400, 'authorization_pending'])
    for (let n = 0; n < 40; n++) await form('/oauth/device', { client_id: HF_CLIENT }, { from })
    await alice.native('POST', '/me/device', { user_code, decision: 'approve' })
    const fetched = await form('/oauth/token', grant, { from })
    assert.equal(fetched.status, 200)
    const headers = { Authorization: `Bearer ${fetched.json.access_token}` }
    assert.equal(await statusOf('/api/whoami-v2', { headers }), 200)
  })

  test('name the page of server.public_url, whatever host is asked', async () => {
    const { json } = await form(
      '/oauth/device',
      { client_id: HF_CLIENT },
      { headers: { Host: 'evil.example' } },
    )
    assert.equal(json.verification_uri, `${target.url}/device`)
    assert.ok(json.verification_uri_complete.startsWith(`${target.url}/device?`))
  })
})

describe('access that is revoked on the command line while the server runs', () => {
  let eve
  let ways

  const waysOf = async () => {
    eve = await target.newPerson('eve')
    const secret = await eve.token('ci')
    await eve.native('POST', '/repos', { type: 'model', ns: eve.username, name: 'tiny' })
    const repo = `/${eve.username}/tiny`
    const headers = { Authorization: `Bearer ${secret}` }
    const { json } = await ask(`/api/models${repo}/xet-write-token/main`, { headers })
    const chunks = { method: 'HEAD', headers: { Authorization: `Bearer ${json.accessToken}` } }
    const git = { headers: { Authorization: basic(eve.username, secret) } }
    const lfs = {
      method: 'POST',
      headers: { ...git.headers, 'Content-Type': 'application/vnd.git-lfs+json' },
      body: JSON.stringify({ operation: 'download', objects: [{ oid: 'a'.repeat(64), size: 1 }] }),
    }
    const session = { headers: { Cookie: eve.cookie() } }
    const byToken = {
      token: () => statusOf('/api/whoami-v2', { headers }),
      git: () => statusOf(`${repo}.git/info/refs?service=git-upload-pack`, git),
      lfs: () => statusOf(`${repo}.git/info/lfs/objects/batch`, lfs),
      chunks: () => statusOf(`${json.casUrl}/v1/xorbs/default/${'c'.repeat(64)}`, chunks),
    }
    return { byToken, session: () => statusOf(`${NATIVE}/me`, session) }
  }
  const all = async (asked) =>
    Object.fromEntries(
      await Promise.all(Object.entries(asked).map(async ([name, way]) => [name, await way()])),
    )
  const good = { token: 200, git: 200, lfs: 200, chunks: 404 }
  const out = { token: 401, git: 401, lfs: 401, chunks: 401 }
  /** Asks until the answers are `wanted`, for as long as a change may take to be noticed. */
  const reach = async (asked, wanted) => {
    const until = Date.now() + AT_ONCE_MS
    let seen = await all(asked)
    while (JSON.stringify(seen) !== JSON.stringify(wanted) && Date.now() < until) {
      await pause(100)
      seen = await all(asked)
    }
    assert.deepEqual(seen, wanted)
  }

  before(async () => {
    ways = await waysOf()
  })

  test('user disable ends session, token, git, LFS and chunk token; user enable brings tokens back', async () => {
    const asked = { ...ways.byToken, session: ways.session }
    assert.deepEqual(await all(asked), { ...good, session: 200 })
    assert.match(await target.cli(['user', 'disable', eve.username]), /is disabled\. Ended 1 session/)
    await reach(asked, { ...out, session: 401 })
    assert.equal((await signIn(eve, '127.0.0.1')).status, 401)
    await target.cli(['user', 'enable', eve.username])
    await reach(ways.byToken, good)
    assert.equal(await ways.session(), 401)
    assert.equal((await signIn(eve, '127.0.0.1')).status, 200)
  })

  test('token revoke ends all that the tokens opened', async () => {
    assert.equal(await target.cli(['token', 'revoke', '--user', eve.username, '--all']), 'Revoked 1 token.\n')
    await reach(ways.byToken, out)
  })
})
