import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTarget } from './target.mjs'

const MIB = 1024 * 1024
/** The first part of an upload of five, which is hashed only when they are joined. */
const part = Buffer.alloc(16 * MIB)
const LARGE_BYTES = 65 * MIB
/** How often each address is used once it must not work any more. */
const USES = 5

let target
let person
before(async () => {
  target = await openTarget()
  person = await target.newPerson('author')
})
after(() => target?.stop())

const post = (url, body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const put = (url, body) => fetch(url, { method: 'PUT', body })

function givenContent() {
  const bytes = randomBytes(1000)
  return { bytes, oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
}

/** A token of the person and a private repo of theirs. */
async function givenAuthor(name) {
  const { id, secret } = await person.native('POST', '/me/tokens', { name, scopes: ['write'] })
  const bearer = { Authorization: `Bearer ${secret}` }
  const created = await post(`${target.url}/api/repos/create`, { name, private: true }, bearer)
  assert.equal(created.status, 200)
  return { tokenId: id, bearer, repo: `${person.username}/${name}` }
}

async function batch({ bearer, repo }, operation, { oid, size }, transfers = ['basic']) {
  const body = { operation, transfers, objects: [{ oid, size }], ref: { name: 'refs/heads/main' } }
  const answer = await post(`${target.url}/${repo}.git/info/lfs/objects/batch`, body, bearer)
  assert.equal(answer.status, 200)
  return (await answer.json()).objects[0].actions
}

/** Every kind of signed address for one author, as requests without credentials. */
async function givenAddresses(author) {
  const [stored, fresh] = [givenContent(), givenContent()]
  const large = { ...givenContent(), size: LARGE_BYTES }
  const first = await batch(author, 'upload', stored)
  assert.equal((await put(first.upload.href, stored.bytes)).status, 200)
  const { upload, verify } = await batch(author, 'upload', fresh)
  const { download } = await batch(author, 'download', stored)
  const { upload: completion } = await batch(author, 'upload', large, ['multipart'])
  return {
    download: () => fetch(download.href),
    upload: () => put(upload.href, fresh.bytes),
    verify: () => post(verify.href, { oid: stored.oid, size: stored.size }),
    part: () => put(completion.header['00001'], part),
  }
}

async function statusesOf(addresses) {
  const statuses = {}
  for (const [name, use] of Object.entries(addresses)) {
    const answer = await use()
    await answer.arrayBuffer()
    statuses[name] = answer.status
  }
  return statuses
}

const all = (addresses, status) => Object.fromEntries(Object.keys(addresses).map((name) => [name, status]))

/** Uses every address again and again; each must answer as an absent object does, in the shape LFS clients read. */
async function assertGone(addresses) {
  for (const [name, use] of Object.entries(addresses))
    for (let n = 0; n < USES; n++) {
      const answer = await use()
      const { message, request_id } = await answer.json()
      assert.equal(answer.status, 404, `${name}: ${message}`)
      assert.equal(answer.headers.get('content-type'), 'application/vnd.git-lfs+json')
      assert.match(message, /Request a new one/)
      assert.ok(request_id)
    }
}

const endings = {
  revoked: ({ tokenId }) => person.native('DELETE', `/me/tokens/${tokenId}`),
  deleted: ({ repo }) => person.native('DELETE', `/repos/models/${repo}`),
}
for (const [ending, end] of Object.entries(endings))
  test(`no signed address works once its token or repo is ${ending}, while others do`, async () => {
    const [author, other] = [await givenAuthor(ending), await givenAuthor(`not-${ending}`)]
    const [addresses, others] = [await givenAddresses(author), await givenAddresses(other)]
    assert.deepEqual(await statusesOf(addresses), all(addresses, 200))
    await target.withstand(async () => {
      await end(author)
      await assertGone(addresses)
    })
    assert.deepEqual(await statusesOf(others), all(others, 200))
  })

test('what a session asked for ends with it: write tokens for chunks, links of archives', async () => {
  const { repo } = await givenAuthor('left')
  const { native, cookie, csrf } = person
  const answer = await fetch(`${target.url}/api/models/${repo}/xet-write-token/main`, {
    headers: { Cookie: cookie() },
  })
  assert.equal(answer.status, 200)
  const { accessToken, casUrl } = await answer.json()
  const ask = () =>
    fetch(`${casUrl}/v1/xorbs/default/${'a'.repeat(64)}`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${accessToken}` },
    })
  const job = await native('POST', `/repos/models/${repo}/zip`)
  let link
  for (let n = 0; n < 200 && link === undefined; n++)
    link = (await native('GET', `/jobs/${job.id}`)).result?.url
  const archive = () => fetch(link, { headers: { Cookie: cookie(), 'X-CSRF-Token': csrf() } })
  assert.deepEqual([(await ask()).status, (await archive()).status], [404, 200])
  await native('POST', '/auth/logout')
  assert.deepEqual([(await ask()).status, (await archive()).status], [401, 401])
})
