import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileHash, getChunks, hashToHex, verificationHash, xorbHash } from '@huggingface/xetchunk-wasm'
import { givenRepo, objectBytes, oidOf, sha256Of } from './asks.mjs'
import { owner } from './program.mjs'

const recordBytes = 48
const shardTag = Buffer.from('48465265706f4d6574614461746100556967456a7b815783a5bdd95ccdd14aa9', 'hex')
const endMarker = Buffer.concat([Buffer.alloc(32, 0xff), Buffer.alloc(16)])

/** A hash or another beginning of 32 bytes, with four numbers behind. */
function record(beginning, ...numbers) {
  const bytes = Buffer.alloc(recordBytes)
  bytes.set(beginning)
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number >>> 0, 32 + 4 * i)
  return bytes
}

/** Each group of eight bytes turned round: how a manifest has its SHA-256. */
const swapped = (digest) =>
  Buffer.concat([0, 8, 16, 24].map((at) => Buffer.from(digest.subarray(at, at + 8)).reverse()))

/** The xorb and the manifest of one file, as the JavaScript client would send them. */
function packed(bytes) {
  const chunks = getChunks(bytes)
  let at = 0
  const pieces = chunks.map(({ length }) => {
    const header = Buffer.alloc(8)
    header.writeUIntLE(length, 1, 3)
    header.writeUIntLE(length, 5, 3)
    return Buffer.concat([header, bytes.subarray(at, (at += length))])
  })
  const xorb = xorbHash(chunks)
  const shard = Buffer.concat([
    record(shardTag, 2),
    record(fileHash(chunks), 0xc0000000, 1),
    record(xorb, 0, bytes.length, 0, chunks.length),
    record(verificationHash(chunks.map(({ hash }) => hash))),
    record(swapped(Buffer.from(sha256Of(bytes), 'hex'))),
    endMarker,
    endMarker,
  ])
  return { xorbHash: hashToHex(xorb), xorb: Buffer.concat(pieces), shard }
}

async function prepare(program, shared) {
  shared.repo ??= await givenRepo(program)
  const bytes = randomBytes(200_000)
  const issued = await program.call('GET', `/api/models/${owner}/${shared.repo.name}/xet-write-token/main`)
  assert.equal(issued.status, 200, issued.text)
  return { repo: shared.repo, bytes, ...packed(bytes), ...issued.json }
}

async function send(program, { casUrl, accessToken }, path, body) {
  const headers = { Authorization: `Bearer ${accessToken}` }
  const answer = await program.call('POST', casUrl + path, { body, headers })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

const sendXorb = (program, state) => send(program, state, `/v1/xorbs/default/${state.xorbHash}`, state.xorb)

/** The answer to a manifest may come a moment before the end of its job. */
async function untilJobsEnd(program) {
  for (const status of ['queued', 'running'])
    while (
      (await program.native('GET', `/jobs?kind=chunk.rebuild&status=${status}&limit=1`)).items.length > 0
    )
      await pause(20)
}

/** A chunk container. */
export const xorb = {
  prepare,
  async act(program, state) {
    await sendXorb(program, state)
    state.acknowledged = true
  },
  async check(program, { casUrl, accessToken, xorbHash: hash, acknowledged }) {
    const headers = { Authorization: `Bearer ${accessToken}` }
    const { status } = await program.call('HEAD', `${casUrl}/v1/xorbs/default/${hash}`, { headers })
    if (acknowledged) assert.equal(status, 200)
    else assert.ok(status === 200 || status === 404)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, state) {
    assert.deepEqual(await sendXorb(program, state), { was_inserted: false })
    await send(program, state, '/v1/shards', state.shard)
    assert.deepEqual(await objectBytes(program, state.repo, oidOf(state.bytes)), state.bytes)
  },
}

/** A file sent by chunks, and the job that puts it together. */
export const chunkedFile = {
  prepare,
  async act(program, state) {
    await sendXorb(program, state)
    await send(program, state, '/v1/shards', state.shard)
    state.acknowledged = true
    await untilJobsEnd(program)
  },
  async check(program, { repo, bytes, acknowledged }) {
    const stored = await objectBytes(program, repo, oidOf(bytes))
    if (acknowledged || stored) assert.deepEqual(stored, bytes)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, state) {
    assert.deepEqual(await objectBytes(program, state.repo, oidOf(state.bytes)), state.bytes)
    assert.deepEqual(await sendXorb(program, state), { was_inserted: false })
    await send(program, state, '/v1/shards', state.shard)
  },
}
