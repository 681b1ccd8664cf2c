// The built server finds its own processes, which are bundled apart, and they work.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '../fixtures/database.mjs'
import { startServer } from '../fixtures/server.mjs'

const run = promisify(execFile)
const threshold = 3
let server
let person

before(async () => {
  server = await startServer({ 'git.compact_threshold': threshold })
  person = await server.newPerson('pat')
})
after(() => server?.stop())

async function packsByState() {
  const client = openDatabase(server.dir)
  try {
    const { rows } = await client.execute('SELECT state, count(*) AS n FROM git_packs GROUP BY state')
    return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
  } finally {
    client.close()
  }
}

async function until(what, isSo) {
  for (let i = 0; i < 600; i++) {
    if (await isSo()) return
    await pause(100)
  }
  assert.fail(
    `${what} did not come about: ${JSON.stringify(await packsByState())}\n${server.log().slice(-2000)}`,
  )
}

/** No compaction waits or runs, and all have succeeded. */
async function isQuiet() {
  const { items } = await person.native('GET', '/jobs?limit=500')
  const compactions = items.filter(({ kind }) => kind === 'git.compact')
  for (const { status, problem } of compactions)
    assert.ok(['queued', 'running', 'succeeded'].includes(status), `${status} ${JSON.stringify(problem)}`)
  return compactions.length > 0 && compactions.every(({ status }) => status === 'succeeded')
}

test('git.compact: commits end in one pack, and both fsck find nothing', async () => {
  const { native, username } = person
  await native('POST', '/repos', { type: 'model', ns: username, name: 'busy' })
  const path = `/repos/models/${username}/busy`
  let made = 0
  const commit = async () => {
    const n = made++
    const operations = [
      { op: 'add', path: `notes/${n}.txt`, text: `${n}\n`.repeat(500) },
      { op: 'add', path: 'shared.txt', text: `${n}` },
    ]
    return (await native('POST', `${path}/commits`, { title: `change ${n}`, operations })).commit
  }

  // With the first commit's, one pack more than the threshold.
  for (let i = 0; i < threshold; i++) await commit()
  await until('the first compaction', isQuiet)
  assert.deepEqual(await packsByState(), { live: 1, retired: threshold + 1 })

  let head = ''
  for (let i = 0; i < 3 * threshold; i++) head = await commit()
  await until(
    'the last compaction',
    async () => (await isQuiet()) && (await packsByState()).live <= threshold,
  )
  const listed = await native('GET', `${path}/commits?limit=100`)
  assert.equal(listed.items[0].sha, head)
  assert.equal(listed.items.length, made + 1)
  assert.equal((await native('GET', `${path}/tree/main/notes`)).entries.length, made)

  assert.equal((await server.cli(['fsck', '--deep'])).trim(), '')
  const folder = join(server.dir, 'exported')
  await server.cli(['fsck', '--export', folder])
  const bare = join(folder, username, 'busy.git')
  const flags = ['fsck', '--strict', '--full', '--no-dangling', '--no-progress']
  const { stdout, stderr } = await run('git', ['-C', bare, ...flags])
  assert.equal(stdout + stderr, '')
  const { stdout: said } = await run('git', ['-C', bare, 'rev-parse', 'main'])
  assert.equal(said.trim(), head)
})
