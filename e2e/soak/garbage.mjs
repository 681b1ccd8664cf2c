// Lets time pass for what a server has stored, has its `gc` job free what is unused, and looks at what is left. A place is
// what the servers' settings lead to: { engine, query, keys }.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** The times by which `gc` decides, by table. */
const times = {
  git_ref_log: ['at'],
  git_packs: ['created_at', 'retired_at'],
  lfs_objects: ['touched_at', 'unreferenced_since'],
  lfs_links: ['added_at'],
  lfs_grants: ['expires_at'],
  uploads: ['expires_at'],
  blob_deletions: ['at'],
}
/** Longer than every default grace period of a server. */
const longMs = 8 * 24 * 3_600_000
const longestRunMs = 120_000

/** Moves everything stored as far back as if it had lain there for that long. */
export async function letPass(place, ms = longMs) {
  const back = place.engine === 'postgres' ? `interval '${ms} milliseconds'` : String(ms)
  for (const [table, columns] of Object.entries(times))
    await place.query(
      `UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - ${back}`).join(', ')}`,
    )
}

/** Queues the job as its schedule does; answers its id, or nothing while one waits or runs. */
export async function queueGc({ engine, query }) {
  const now = engine === 'postgres' ? 'now()' : Date.now()
  const [row] = await query(
    `INSERT INTO jobs (id, kind, status, title, input, dedup_key, active_key, attempt, max_attempts, run_after,
       cancel_requested, progress_done, progress_unit, created_at)
     VALUES ('${randomUUID()}', 'gc', 'queued', 'sweep', '{}', 'schedule', 'gc/schedule', 0, 3, ${now}, false, 0, 'items', ${now})
     ON CONFLICT DO NOTHING RETURNING id`,
  )
  return row?.id
}

/** Waits until a job has ended, or `isOver`; answers its row. */
export async function ended({ query }, id, isOver = () => false) {
  const find = async () => (await query(`SELECT status, problem FROM jobs WHERE id = '${id}'`))[0]
  for (const deadline = Date.now() + longestRunMs; ; await pause(50)) {
    const row = await find()
    if ((row.status !== 'queued' && row.status !== 'running') || isOver()) return row
    assert.ok(Date.now() < deadline, `the job stays ${row.status}`)
  }
}

/** Runs a `gc` of its own, behind one that may be under way. */
export async function runGc(place) {
  let id
  while ((id = await queueGc(place)) === undefined) await pause(50)
  const row = await ended(place, id)
  assert.equal(row.status, 'succeeded', JSON.stringify(row.problem))
}

/** Frees all that can be freed while no client is at work: what is found unused first is deleted the next time. */
export async function freeAll(place) {
  for (let runs = 0; runs < 2; runs++) {
    await letPass(place)
    await runGc(place)
  }
}

/** After `freeAll`: no pack but the live ones, nothing to be deleted, and no bytes but those that rows name. */
export async function assertNothingLeft({ query, keys }) {
  const rowsOf = async (column, table) =>
    (await query(`SELECT ${column} FROM ${table}`)).map((row) => row[column])
  const states = await rowsOf('state', 'git_packs')
  assert.deepEqual([...new Set(states)], ['live'])
  assert.deepEqual(await rowsOf('key', 'blob_deletions'), [])
  const packs = (await rowsOf('id', 'git_packs')).flatMap((id) => [`${id}.pack`, `${id}.idx`])
  const xorbs = (await rowsOf('key', 'chunk_xorbs')).flatMap((key) => [key, `${key}.idx`])
  const named = new Set([...packs, ...xorbs, ...(await rowsOf('key', 'lfs_objects'))])
  const owned = (await keys()).filter((key) => /^(git|lfs|uploads|xorbs|shards)\//.test(key))
  const stored = new Set(owned.map((key) => (key.startsWith('git/') ? key.split('/').at(-1) : key)))
  // Large packs may have a bitmap beside their index.
  const isLeft = (name) => !named.has(name.replace(/\.bitmap$/, '.pack'))
  const orphans = [...stored].filter(isLeft)
  const lost = [...named].filter((name) => !stored.has(name))
  assert.deepEqual({ orphans, lost }, { orphans: [], lost: [] })
}
