import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { openBench } from '../git/workbench.mjs'
import { openTarget } from './target.mjs'

const CLONES = 40
/** More than sockets and pipes hold, so that a client that does not read keeps its fetch waiting. */
const REPO_BYTES = 8 * 1024 * 1024

let target
let bench
let alice
let bob

before(async () => {
  target = await openTarget()
  bench = await openBench()
  alice = await personWithRepo('alice')
  bob = await personWithRepo('bob')
})
after(async () => {
  await bench?.close()
  await target?.stop()
})

/** A person with a token and a repo of some megabytes that do not compress. */
async function personWithRepo(prefix) {
  const person = await target.newPerson(prefix)
  const { native, username } = person
  await native('POST', '/repos', { type: 'model', ns: username, name: 'large' })
  const content = randomBytes(REPO_BYTES).toString('base64')
  const operations = [{ op: 'add', path: 'notes.txt', content }]
  const { commit } = await native('POST', `/repos/models/${username}/large/commits`, {
    title: 'add',
    operations,
  })
  const token = await person.token()
  return {
    username,
    token,
    commit,
    url: target.url.replace('://', `://${username}:${token}@`) + `/${username}/large`,
  }
}

/** A fetch of everything whose answer stays unread. */
async function fetchUnread({ username, token, commit }) {
  const body = `0032want ${commit}\n00000009done\n`
  const socket = connect(target.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const credentials = Buffer.from(`${username}:${token}`).toString('base64')
  socket.write(
    `POST /${username}/large.git/git-upload-pack HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\n` +
      `Authorization: Basic ${credentials}\r\nContent-Type: application/x-git-upload-pack-request\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

test('40 clones of one person at once: each completes or gets a Retry-After', async () => {
  const ended = await target.withstand(() =>
    Promise.all(
      Array.from({ length: CLONES }, () => bench.attempt(['clone', '-q', alice.url, bench.path()])),
    ),
  )
  const refused = ended.filter(({ code }) => code !== 0)
  assert.ok(refused.length < CLONES, refused[0]?.said)
  for (const { said } of refused) assert.match(said, /503/)
})

test('unread fetches block their sender, not others', async () => {
  await target.withstand(async () => {
    const sockets = await Promise.all(Array.from({ length: CLONES }, () => fetchUnread(alice)))
    const refused = await Promise.race(
      sockets.map(async (socket) => {
        for await (const chunk of socket)
          if (chunk.toString('latin1').startsWith('HTTP/1.1 503')) return `${chunk}`
        return new Promise(() => undefined)
      }),
    )
    assert.match(refused, /retry-after: \d+/i)
    const { code, said } = await bench.attempt(['clone', '-q', bob.url, bench.path()])
    assert.equal(code, 0, said)
    for (const socket of sockets) socket.destroy()
  })
})
