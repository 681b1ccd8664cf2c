// A store that fails in every way: what is asked of the server comes about, or is refused for now; what was acknowledged
// is there when the store is well again.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { unique } from './caller.mjs'
import { faults } from './fault-proxy.mjs'
import { topologyOnTheWay } from './fixture.mjs'

/** One request of so many is spoilt. */
const oneIn = 4
const rounds = Number(process.env['TOPOLOGY_FAULT_ROUNDS'] ?? 2)

const given = topologyOnTheWay((way) => ({
  web: 1,
  workers: 1,
  settings: {
    'storage.s3.endpoint': way.url,
    'storage.s3.stall_timeout': '1s',
    'storage.s3.retries': '2',
    'git.compact_threshold': '5',
  },
}))

describe('a failing store costs time, but nothing that was acknowledged', () => {
  for (const name of Object.keys(faults))
    test(name, async (t) => {
      const { way, caller } = given
      const repo = await caller.givenRepo()
      const kept = new Map()
      const before = caller.repeated
      way.choose = () => (randomInt(oneIn) === 0 ? name : undefined)
      try {
        for (let round = 0; round < rounds; round++) await work(repo, kept)
      } finally {
        way.choose = () => undefined
      }
      t.diagnostic(`${way.met[name] ?? 0} requests spoilt, ${caller.repeated - before} asked again`)
      assert.ok(way.met[name] > 0)
      for (const [path, bytes] of kept) assert.deepEqual(await caller.read(repo, path), bytes, path)
    })

  test('what is stored is whole', async () => {
    assert.equal((await given.topology.cli(['fsck', '--deep'])).trim(), '')
  })
})

/** A small file, a large one, and one that is read again. */
async function work(repo, kept) {
  const { caller } = given
  const [small, large] = [`small-${unique()}.txt`, `large-${unique()}.bin`]
  const [text, bytes] = [Buffer.from(`${small}\n`), randomBytes(300_000)]
  const object = await caller.upload(repo, large, bytes)
  const operations = [
    { op: 'add', path: small, text: text.toString() },
    { op: 'add', path: large, lfs: object },
  ]
  await caller.commit(repo, operations)
  kept.set(small, text).set(large, bytes)
  // Once acknowledged, it can be read, also through the faults.
  for (const [path, expected] of [...kept].slice(-2))
    assert.deepEqual(await caller.read(repo, path), expected)
}
