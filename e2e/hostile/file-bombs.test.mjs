// Small files that grow without end for programs that unpack them, load them or believe their counts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { givenRepo } from '../git/workbench.mjs'
import { openTarget } from './target.mjs'

const MIB = 2 ** 20

let target
let repo

before(async () => {
  target = await openTarget()
  repo = await givenRepo(target, { visibility: 'public' })
})
after(() => target?.stop())

/** 8 GiB of zeros in 8 MiB: gzip files one behind the other are one file. */
const gzipBomb = () => Buffer.concat(Array(128).fill(gzipSync(Buffer.alloc(64 * MIB), { level: 9 })))

/** A list that holds the list before it four times, 30 deep. */
const laughs = () => Buffer.from(`\x80\x04]${'q\x00](h\x00h\x00h\x00h\x00e'.repeat(30)}.`, 'latin1')

/** An archive of one packed member that claims 4 GiB. */
function zipBomb() {
  const name = Buffer.from('archive/data.pkl')
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(8, 4)
  facts.writeUInt32LE(9, 14)
  facts.writeUInt32LE(0xfffffff0, 18)
  facts.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, Buffer.alloc(9)])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

/** A header that promises 2^60 tensors and keys. */
function countBomb() {
  const head = Buffer.alloc(24)
  head.write('GGUF', 'latin1')
  head.writeUInt32LE(3, 4)
  head.writeBigUInt64LE(2n ** 60n, 8)
  head.writeBigUInt64LE(2n ** 60n, 16)
  return head
}

/** A header of which all bytes are brackets. */
function nestedHeader() {
  const text = Buffer.from(`{"a":${'['.repeat(4 * MIB)}`)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text])
}

/** Commits the files as hub clients do. */
async function commit(files) {
  const lines = Object.entries(files).map(([path, bytes]) => ({
    key: 'file',
    value: { path, content: bytes.toString('base64'), encoding: 'base64' },
  }))
  const all = [{ key: 'header', value: { summary: 'bombs', description: '' } }, ...lines]
  const answer = await fetch(`${target.url}/api/models/${repo.ns}/${repo.name}/commit/main`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${repo.token}`, 'Content-Type': 'application/x-ndjson' },
    body: all.map((line) => JSON.stringify(line)).join('\n'),
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** The files with issues, once all have been looked at. */
async function scanned() {
  for (;;) {
    const answer = await fetch(`${target.url}/api/models/${repo.ns}/${repo.name}/scan`, {
      headers: { Authorization: `Bearer ${repo.token}` },
    })
    const { scansDone, filesWithIssues } = await answer.json()
    if (scansDone) return filesWithIssues.map(({ path }) => path).toSorted()
    await pause(200)
  }
}

test('bombs of every kind are looked at, and leave others served', async () => {
  const bombs = {
    'counts.gguf': countBomb(),
    'laughs.pkl': laughs(),
    'nested.safetensors': nestedHeader(),
    'zeros.joblib': gzipBomb(),
    'zeros.pt': zipBomb(),
  }
  const nested = { 'config.json': Buffer.from('['.repeat(4 * MIB)) }
  const found = await target.withstand(async () => {
    await commit({ ...bombs, ...nested })
    return scanned()
  })
  assert.deepEqual(found, Object.keys(bombs))
})
