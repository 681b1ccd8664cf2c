import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTarget } from './target.mjs'

const MIB = 1024 * 1024
const native = '/api/service/v1'
let target
let secret
let repo

before(async () => {
  target = await openTarget()
  const admin = await target.login()
  secret = await admin.token()
  await admin.native('POST', '/repos', { type: 'model', ns: admin.username, name: 'large-json' })
  repo = `${admin.username}/large-json`
})
after(() => target?.stop())

const send = async (path, body, headers = {}) => {
  const answer = await fetch(target.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
  const text = await answer.text()
  return { status: answer.status, text, json: JSON.parse(text) }
}
const asOwner = () => ({ Authorization: `Bearer ${secret}` })
const lists = (bytes) => `{"a":"\\ud83d","b":[${'[],'.repeat(bytes / 3)}[]]}`

test('60 MB of empty lists to sign-in are refused unread', async () => {
  const answer = await target.withstand(() =>
    send(`${native}/auth/login`, lists(60 * MIB)).catch(() => undefined),
  )
  // The server may close the connection while the client still sends.
  if (answer) assert.equal(answer.json.code, 'body-too-large')
})

test('60 KB of empty lists, and as many unknown names, are refused in a short answer', async () => {
  const names = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`name${i}`, 1])))
  for (const [body, code] of [
    [lists(30_000), 'validation-failed'],
    [lists(63_000), 'body-too-large'],
    [names, 'validation-failed'],
    ['['.repeat(60_000), 'invalid-request'],
  ]) {
    const { json, text } = await target.withstand(() => send(`${native}/auth/login`, body))
    assert.equal(json.code, code)
    assert.ok(text.length < 20_000, `${text.length} bytes`)
  }
  const { json } = await send(`${native}/auth/login`, names)
  assert.equal(json.errors.length, 20)
  assert.match(json.detail, /and \d+ more$/)
})

test('values and depth are bounded for signed-in users as well', async () => {
  for (const path of [
    `${native}/repos`,
    `${native}/repos/models/${repo}/commits`,
    `/api/models/${repo}/preupload/main`,
  ])
    for (const body of [`[${'[],'.repeat(330_000)}[]]`, `${'['.repeat(10_000)}${']'.repeat(10_000)}`]) {
      const { status, json } = await target.withstand(() => send(path, body, asOwner()))
      assert.ok([400, 413].includes(status), `${path}: ${status}`)
      assert.match(json.detail ?? json.error, /values and names|levels deep/)
    }
})

for (const { what, count, operationOf } of [
  {
    what: 'base64',
    count: 5,
    operationOf: (i) => ({ path: `b${i}.bin`, content: randomBytes(9 * MIB).toString('base64') }),
  },
  {
    what: 'text of escapes',
    count: 3,
    operationOf: (i) => ({ path: `t${i}.txt`, text: `${i}${'"'.repeat(9 * MIB)}` }),
  },
])
  test(`a commit of 54 to 60 MiB of ${what} is stored, and others are served meanwhile`, async () => {
    const operations = Array.from({ length: count }, (_, i) => ({ op: 'add', ...operationOf(i) }))
    const body = JSON.stringify({ title: what, operations })
    const made = await target.withstand(() => send(`${native}/repos/models/${repo}/commits`, body, asOwner()))
    assert.equal(made.status, 201, made.text)
    for (const { path, content, text } of /** @type {any[]} */ (operations)) {
      const answer = await fetch(`${target.url}/${repo}/resolve/main/${path}`, { headers: asOwner() })
      const bytes = Buffer.from(await answer.arrayBuffer())
      assert.ok(bytes.equals(Buffer.from(content ?? text, content === undefined ? 'utf8' : 'base64')), path)
    }
  })

test('a commit of 27 MB goes through for its writer; a stranger is refused before the body', async () => {
  const content = Buffer.alloc(2 * MIB, 'arsenal').toString('base64')
  const operations = Array.from({ length: 10 }, (_, i) => ({ op: 'add', path: `f${i}.txt`, content }))
  const body = JSON.stringify({ title: 'large', operations })
  const path = `${native}/repos/models/${repo}/commits`
  const made = await target.withstand(() => send(path, body, asOwner()))
  assert.equal(made.status, 201, made.text)
  const { token } = await target.newPerson('stranger')
  const headers = { Authorization: `Bearer ${await token()}` }
  const refused = await send(path, body, headers).catch(() => undefined)
  if (refused) assert.equal(refused.json.code, 'repo-not-found')
})
