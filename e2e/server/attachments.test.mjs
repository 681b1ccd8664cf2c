// Images of comments at a running server: as private as their repo, and removed with their bytes when no comment shows them.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '../fixtures/server.mjs'

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489' +
    '0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082',
  'hex',
)

let server
let admin
let owner
let stranger
before(async () => {
  server = await startServer({ 'gc.grace_period': '1s', 'lfs.upload_url_ttl': '1s' })
  admin = await server.login()
  owner = await withToken(await server.newPerson('owner'))
  stranger = await withToken(await server.newPerson('stranger'))
})
after(() => server?.stop())

const withToken = async (person) => ({ ...person, secret: await person.token() })

async function upload() {
  const headers = { Authorization: `Bearer ${owner.secret}`, 'Content-Type': 'image/png' }
  const answer = await fetch(`${server.url}/uploads`, { method: 'POST', headers, body: png })
  assert.equal(answer.status, 200)
  return (await answer.text()).trim()
}

const seenBy = async (person, url) => {
  const headers = person ? { Authorization: `Bearer ${person.secret}` } : {}
  const answer = await fetch(url, { headers })
  const body = Buffer.from(await answer.arrayBuffer())
  assert.equal(answer.ok, body.equals(png))
  return answer.status
}

/** Runs the job `gc` and waits until it has ended. */
async function sweep() {
  const { id } = await admin.native('POST', '/admin/gc', { dry_run: false })
  for (;;) {
    const { status, problem } = await admin.native('GET', `/jobs/${id}`)
    assert.ok(!['failed', 'cancelled'].includes(status), JSON.stringify(problem))
    if (status === 'succeeded') return
    await pause(50)
  }
}

/** Files of the store that are this image. */
async function stored(url) {
  const id = new URL(url).pathname.replace('/uploads/', '').replace('.png', '')
  const files = await readdir(join(server.dir, 'blobs'), { recursive: true })
  return files.filter((file) => file.includes(id))
}

/** Sweeps until the image's bytes are gone: one run finds it, a later one deletes what was found. */
async function untilGone(url) {
  for (const until = Date.now() + 60_000; (await stored(url)).length > 0; await pause(300)) {
    assert.ok(Date.now() < until, 'the image is still stored')
    await sweep()
  }
}

const addressOf = (visibility) => `/repos/models/${owner.username}/${visibility}`

async function shownIn(visibility, url) {
  const repo = { type: 'model', ns: owner.username, name: visibility, visibility }
  await owner.native('POST', '/repos', repo)
  const thread = { title: 'Look', body: `![it](${url})` }
  return owner.native('POST', `${addressOf(visibility)}/discussions`, thread)
}

test('what no comment shows is removed by the job, and what one shows stays', async () => {
  const [shown, unused] = [await upload(), await upload()]
  await shownIn('private', shown)
  assert.equal((await stored(unused)).length, 1)
  await untilGone(unused)
  assert.equal(await seenBy(owner, unused), 404)
  assert.equal((await stored(shown)).length, 1)
  assert.deepEqual(await Promise.all([owner, stranger].map((person) => seenBy(person, shown))), [200, 404])
  assert.ok([401, 404].includes(await seenBy(undefined, shown)))
  await owner.native('PATCH', addressOf('private'), { visibility: 'public' })
  assert.equal(await seenBy(stranger, shown), 200)
})

test('an image is removed after the comment that showed it was hidden', async () => {
  const url = await upload()
  const { num } = await shownIn('public', url)
  assert.equal(await seenBy(stranger, url), 200)
  const { events } = await owner.native('GET', `${addressOf('public')}/discussions/${num}`)
  const [{ id }] = events
  await owner.native('POST', `${addressOf('public')}/discussions/${num}/comments/${id}/hide`)
  assert.equal(await seenBy(stranger, url), 404)
  await untilGone(url)
  assert.equal(await seenBy(owner, url), 404)
})
