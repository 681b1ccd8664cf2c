// A real provider ends the sessions here of a person who signs out there.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newVisitor, startProvider } from '../fixtures/provider.mjs'
import { startServer } from '../fixtures/server.mjs'

let provider
let server
before(async () => {
  provider = await startProvider()
  server = await startServer({ 'oidc.providers': JSON.stringify([provider.entry]) })
  provider.registerAt(server.url)
})
after(async () => {
  provider?.stop()
  await server?.stop()
})

/** Who the hub takes a visitor for; an anonymous caller is answered 204. */
async function nameOf({ visit }) {
  const { status, text } = await visit(`${server.url}/api/service/v1/me`)
  return status === 200 ? JSON.parse(text).username : status
}

test('who signs out at the provider is signed out here, in that session alone, and the audit has a row', async () => {
  const [desk, phone, other] = [newVisitor(), newVisitor(), newVisitor()]
  for (const { visitor, subject } of [
    { visitor: desk, subject: 'ada' },
    { visitor: phone, subject: 'ada' },
    { visitor: other, subject: 'bob' },
  ]) {
    const { status, text, url } = await visitor.signIn(server.url, subject)
    assert.equal(`${url.origin} ${status}`, `${server.url} 200`, text)
  }
  assert.deepEqual([await nameOf(desk), await nameOf(phone), await nameOf(other)], ['ada', 'ada', 'bob'])

  const { status, text } = await desk.signOutAt(provider.issuer)
  assert.equal(status, 200, text)
  const deadline = Date.now() + 10_000
  while ((await nameOf(desk)) === 'ada') {
    assert.ok(Date.now() < deadline, `the session goes on:\n${server.log().slice(-2000)}`)
    await pause(50)
  }
  assert.ok([204, 401].includes(await nameOf(desk)))
  assert.deepEqual([await nameOf(phone), await nameOf(other)], ['ada', 'bob'])

  const admin = await server.login()
  const { items } = await admin.native('GET', '/admin/audit?action=session.end')
  assert.equal(items.length, 1)
  assert.deepEqual([items[0].target.name, items[0].after], ['ada', { provider: 'corp' }])
})
