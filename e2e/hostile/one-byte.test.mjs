import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { residentBytes, openTarget } from './target.mjs'
import { answerOn, dial, headOf, oneByteChunks, pour } from './wire.mjs'

const MIB = 1024 * 1024
const CHUNKS = 400_000
const native = '/api/service/v1'
let target
let bearer
let repo

before(async () => {
  target = await openTarget()
  const admin = await target.login()
  bearer = { Authorization: `Bearer ${await admin.token()}` }
  await admin.native('POST', '/repos', { type: 'model', ns: admin.username, name: 'one-byte' })
  repo = `${admin.username}/one-byte`
})
after(() => target?.stop())

async function sendBytes(path, headers, count = CHUNKS, first = '') {
  const socket = await dial(target.port)
  const answer = answerOn(socket, 20_000)
  socket.write(headOf('POST', path, { 'Transfer-Encoding': 'chunked', Connection: 'close', ...headers }))
  if (first) socket.write(`${Buffer.byteLength(first).toString(16)}\r\n${first}\r\n`)
  await pour(socket, oneByteChunks(count, 'x'))
  if (!socket.destroyed) socket.write('0\r\n\r\n')
  return answer
}

/** The most memory the server takes while `attack` runs, in bytes. */
async function peakDuring(attack) {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(target.pid))), 50)
  try {
    return { answers: await attack(), peak: () => peak }
  } finally {
    clearInterval(timer)
  }
}

test('chunks of one byte cost about their size on every kind of body', async () => {
  const json = { 'Content-Type': 'application/json' }
  const header = `${JSON.stringify({ key: 'header', value: { summary: 'x' } })}\n`
  // Refused either for their size or because no client sends chunks of one byte.
  const refused = [400, 413]
  const sends = [
    [`${native}/auth/login`, json, '', refused],
    [`${native}/repos`, { ...json, ...bearer }, '', refused],
    [`${native}/repos/models/${repo}/commits`, { ...json, ...bearer }, '', refused],
    [
      `/api/models/${repo}/commit/main`,
      { 'Content-Type': 'application/x-ndjson', ...bearer },
      header,
      refused,
    ],
    [`/api/models/${repo}/commit/main`, { 'Content-Type': 'application/x-ndjson' }, header, [401, 400]],
    [
      `/${repo}/info/lfs/objects/batch`,
      { 'Content-Type': 'application/vnd.git-lfs+json', ...bearer },
      '',
      refused,
    ],
    [
      `/${repo}/git-upload-pack`,
      { 'Content-Type': 'application/x-git-upload-pack-request', ...bearer },
      '',
      refused,
    ],
  ]
  const rest = residentBytes(target.pid)
  const { answers, peak } = await peakDuring(() =>
    target.withstand(() =>
      Promise.all(sends.map(([path, headers, first]) => sendBytes(path, headers, CHUNKS, first))),
    ),
  )
  for (const [i, { status, body }] of answers.entries())
    assert.ok(sends[i][3].includes(status) || status === 0, `${sends[i][0]}: ${status} ${body.slice(0, 300)}`)
  assert.ok(peak() - rest < 200 * MIB, `${Math.round((peak() - rest) / MIB)} MiB more`)
})

test('a header line of a commit is at most 64 KiB', async () => {
  const answer = await fetch(`${target.url}/api/models/${repo}/commit/main`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', ...bearer },
    body: JSON.stringify({ key: 'header', value: { summary: 'x'.repeat(70_000) } }),
  })
  assert.equal(answer.status, 413)
  assert.match((await answer.json()).error, /Line 1 is longer than 65536 bytes/)
})
