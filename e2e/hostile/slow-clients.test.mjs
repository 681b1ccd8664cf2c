import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTarget, residentBytes } from './target.mjs'
import { dial, hangUp, headOf } from './wire.mjs'

const MIB = 1024 * 1024
const CLIENTS = 250
const SECONDS = 5
let target
let bearer
let repo
let other

before(async () => {
  target = await openTarget()
  const admin = await target.login()
  bearer = { Authorization: `Bearer ${await admin.token()}` }
  await admin.native('POST', '/repos', { type: 'model', ns: admin.username, name: 'slow' })
  repo = `${admin.username}/slow`
  await addLargeFile(admin)
  other = await otherPerson()
})
after(() => target?.stop())

/** Uploads 2 MiB and commits them as `large.bin`. */
async function addLargeFile(admin) {
  const bytes = Buffer.alloc(2 * MIB, 'arsenal')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { path: 'large.bin', size: bytes.length, sha256 }
  const { files } = await admin.native('POST', `/repos/models/${repo}/uploads`, { files: [file] })
  const { upload } = files[0]
  const parts = []
  for (const { n, url, headers } of upload.parts) {
    const body = bytes.subarray((n - 1) * upload.part_size, n * upload.part_size)
    const type = { 'Content-Type': 'application/octet-stream' }
    const answer = await fetch(url, { method: 'PUT', headers: { ...headers, ...bearer, ...type }, body })
    assert.equal(answer.status, 200, await answer.clone().text())
    parts.push({ n, etag: (await answer.json()).etag })
  }
  await admin.native('POST', `/repos/models/${repo}/uploads/${upload.id}/complete`, { parts })
  const operations = [{ op: 'add', path: file.path, lfs: { sha256, size: bytes.length } }]
  await admin.native('POST', `/repos/models/${repo}/commits`, { title: 'large', operations })
}

/** Another person, who works while the server is busy with slow clients. */
async function otherPerson() {
  const person = await target.newPerson('other')
  const headers = { Authorization: `Bearer ${await person.token()}` }
  await person.native('POST', '/repos', { type: 'model', ns: person.username, name: 'quick' })
  const at = `${person.username}/quick`
  const get = async (path) => {
    const answer = await fetch(`${target.url}${path}`, { headers })
    assert.equal(answer.status, 200, path)
    return answer.text()
  }
  return {
    /** Commits a file and reads it, by the API and as a download. */
    async readsAndWrites(n) {
      const [path, text] = [`${n}.txt`, `text ${n}`]
      const content = Buffer.from(text).toString('base64')
      const operations = [{ op: 'add', path, content }]
      await person.native('POST', `/repos/models/${at}/commits`, { title: path, operations })
      const { siblings } = JSON.parse(await get(`/api/models/${at}`))
      assert.ok(siblings.some(({ rfilename }) => rfilename === path))
      assert.equal(await get(`/${at}/resolve/main/${path}`), text)
    },
  }
}

test('250 clients that read and 250 that send one byte a second leave others served', async () => {
  const sockets = []
  const rest = residentBytes(target.pid)
  let peak = 0
  await target.withstand(
    async () => {
      const json = { 'Content-Type': 'application/x-ndjson', 'Transfer-Encoding': 'chunked', ...bearer }
      const readers = []
      const senders = []
      for (let i = 0; i < CLIENTS; i++) {
        const [reader, sender] = [await dial(target.port), await dial(target.port, '127.0.0.2')]
        reader.pause()
        reader.write(headOf('GET', `/${repo}/resolve/main/large.bin`, bearer))
        sender.write(headOf('POST', `/api/models/${repo}/commit/main`, json))
        readers.push(reader)
        senders.push(sender)
        sockets.push(reader, sender)
        await pause(10)
      }
      for (let second = 0; second < SECONDS; second++) {
        for (const socket of readers) socket.read(1)
        for (const socket of senders) if (socket.writable) socket.write('1\r\n{\r\n')
        peak = Math.max(peak, residentBytes(target.pid))
        await other.readsAndWrites(second)
        await pause(1000)
      }
      await hangUp(sockets)
    },
    { maxKeptBytes: 100 * MIB },
  )
  assert.ok(peak - rest < 200 * MIB, `${Math.round((peak - rest) / MIB)} MiB more`)
})

test('250 clients that read one file of 4 MiB kept in git share its bytes', async () => {
  const admin = await target.login()
  const content = randomBytes(4 * MIB).toString('base64')
  const operations = [{ op: 'add', path: 'small.bin', content }]
  await admin.native('POST', `/repos/models/${repo}/commits`, { title: 'small', operations })
  const rest = residentBytes(target.pid)
  let peak = 0
  await target.withstand(async () => {
    const readers = []
    for (let i = 0; i < CLIENTS; i++) {
      const reader = await dial(target.port)
      reader.pause()
      reader.write(headOf('GET', `/${repo}/resolve/main/small.bin`, bearer))
      readers.push(reader)
      await pause(10)
    }
    for (let second = 0; second < SECONDS; second++) {
      for (const reader of readers) reader.read(1)
      peak = Math.max(peak, residentBytes(target.pid))
      await pause(1000)
    }
    await hangUp(readers)
  })
  assert.ok(peak - rest < 100 * MIB, `${Math.round((peak - rest) / MIB)} MiB more`)
})
