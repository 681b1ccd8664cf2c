import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTarget } from './target.mjs'

const MB = 1_000_000
const QUOTA_BYTES = 20 * MB
/** Sixty MB in files of 10 MB: three times the quota. */
const FILES = 6
const FILE_BYTES = 10 * MB

let target
let admin

before(async () => {
  target = await openTarget({ 'security.anonymous_read': 'true' })
  admin = await target.login()
})
after(() => target?.stop())

/** A person with an empty public repo `name/full` and a quota. */
async function givenOwner(name) {
  const owner = await target.newPerson(name)
  const repo = { type: 'model', ns: owner.username, name: 'full', visibility: 'public' }
  await owner.native('POST', '/repos', repo)
  await admin.native('PATCH', '/admin/quotas', { ns: owner.username, quota_bytes: QUOTA_BYTES })
  return { ...owner, path: `${owner.username}/full`, secret: await owner.token() }
}

const someFile = () => {
  const bytes = randomBytes(FILE_BYTES)
  return { bytes, oid: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * Asks for an address by a batch, as git-lfs does, and sends the file there; answers the first refusal.
 * @param {{ path: string, secret: string, ref?: string }} sender
 */
async function sendByBatch({ path, secret, ref }, { bytes, oid }) {
  const answer = await fetch(`${target.url}/${path}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/vnd.git-lfs+json' },
    body: JSON.stringify({
      operation: 'upload',
      transfers: ['basic'],
      objects: [{ oid, size: bytes.length }],
      ...(ref && { ref: { name: ref } }),
    }),
  })
  if (!answer.ok) return { status: answer.status, text: await answer.text() }
  const { objects } = await answer.json()
  const put = await fetch(objects[0].actions.upload.href, { method: 'PUT', body: bytes })
  return { status: put.status, text: await put.text() }
}

/** Plans the file by the native API. */
async function plan({ path, secret }, { bytes, oid }) {
  const answer = await fetch(`${target.url}/api/service/v1/repos/models/${path}/uploads`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ files: [{ path: `${oid}.safetensors`, size: bytes.length, sha256: oid }] }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Runs `send` for each file, one after the other; answers how many were taken, and the refusals. */
async function sendAll(send) {
  const answers = []
  for (let i = 0; i < FILES; i++) answers.push(await send(someFile()))
  const refused = answers.filter(({ status }) => status !== 200 && status !== 201)
  return { taken: answers.length - refused.length, refused }
}

const isRefusedFor = (reason) => (answers) => {
  for (const { status, text } of answers) {
    assert.equal(status, 413, text)
    assert.match(text, reason)
  }
}
const holdsPending = isRefusedFor(
  /holds \d+ bytes and would have \d+ pending, of at most 20000000\..*expire, the first at 20/,
)

test('sixty MB of LFS objects without a commit do not pass a quota of 20 MB', async () => {
  const owner = await givenOwner('hoarder')
  const { taken, refused } = await target.withstand(() =>
    sendAll((file) => sendByBatch({ ...owner, ref: 'refs/heads/main' }, file)),
  )
  assert.equal(taken, 1, 'the pack of the first commit takes some of the 20 MB')
  holdsPending(refused)
})

test('files that are only planned do not pass it', async () => {
  const owner = await givenOwner('planner')
  const { taken, refused } = await sendAll((file) => plan(owner, file))
  assert.equal(taken, 1)
  holdsPending(refused)
})

test('six concurrent uploads do not pass it', async () => {
  const owner = await givenOwner('racer')
  const files = Array.from({ length: FILES }, someFile)
  const answers = await target.withstand(() =>
    Promise.all(files.map((file) => sendByBatch({ ...owner, ref: 'refs/heads/main' }, file))),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('a reader who may open a pull request cannot send them either, and leaves members their room', async () => {
  const owner = await givenOwner('host')
  const reader = await target.newPerson('reader')
  const sender = { path: owner.path, secret: await reader.token() }
  const { taken, refused } = await target.withstand(() => sendAll((file) => sendByBatch(sender, file)))
  assert.equal(taken, 1)
  isRefusedFor(/has no room for these bytes\. You would have \d+ pending\./)(refused)
  assert.equal((await sendByBatch({ ...owner, ref: 'refs/heads/main' }, someFile())).status, 200)
})
