// Reads on every surface bring what is absent from another built server, while it streams in.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { download, givenModel, givenOwner, startPair } from './upstream.mjs'

const MiB = 2 ** 20

let pair
let owner
before(async () => {
  pair = await startPair({ 'pull.pull_through.enabled': 'true', 'pull.pull_through.min_role': 'anonymous' })
  owner = await givenOwner(pair.upstream)
})
after(() => pair?.stop())

test('sixteen clients on one cold file get it whole from one upstream body', async () => {
  const { repo, commit, files } = await givenModel(owner, 'crowd', { 'big.bin': 64 * MiB })
  const bytes = files['big.bin']
  const starts = Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? i * 500_000 : 0))
  const answers = await Promise.all(
    starts.map((from) =>
      download(pair.server.url, repo, commit, 'big.bin', from ? { Range: `bytes=${from}-` } : {}),
    ),
  )
  for (const [i, { status, bytes: got, headers }] of answers.entries()) {
    assert.equal(status, starts[i] ? 206 : 200)
    assert.ok(got.equals(bytes.subarray(starts[i])), `client ${i}`)
    assert.equal(headers.get('x-repo-commit'), commit)
  }
  const sent = pair.upstream
    .log()
    .split('\n')
    .filter((line) => line.includes(`/${repo}/resolve/`) && line.includes('"GET"'))
  assert.equal(sent.length, 1, sent.join('\n'))
})
