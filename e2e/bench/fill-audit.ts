// Fills the audit log of a database whose server is not running, with seals: `fill-audit.ts <url> <rows>`.
import { createClient } from '@libsql/client'
import pg from 'pg'
import { NO_HASH, sealOf, type StoredEvent } from '../../api/core/events/audit/chain.ts'

const [url = '', rows] = process.argv.slice(2)
const count = Number(rows)
const isPostgres = url.startsWith('postgres:')

const batch = 5000
/** A million rows take 93 days, so that none is old enough to expire. */
const everyMs = 8000
const start = Date.now() - (count + 1) * everyMs - 3_600_000

function rowOf(i: number): StoredEvent {
  const at = new Date(start + i * everyMs)
  const time = at.getTime().toString(16).padStart(12, '0')
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${i.toString(16).padStart(12, '0')}`,
    at,
    request_id: `request-${i}`,
    actor_id: null,
    auth_kind: 'session',
    token_id: null,
    ip: '192.0.2.7',
    action: i % 7 === 0 ? 'org.member.set' : 'repo.update',
    target_type: 'repo',
    target_id: `repo-${i}`,
    target_name: `acme/model-${i}`,
    before: { visibility: 'private', description: `before ${i}` },
    after: { visibility: 'public', description: `after ${i}` },
    outcome: 'ok',
  }
}

/** Runs statements with at most one parameter. */
async function connect(): Promise<{ run(sql: string, parameter?: string): Promise<unknown>; end(): void }> {
  if (!isPostgres) {
    const db = createClient({ url: `file:${url}` })
    return {
      run: (sql, one) => db.execute({ sql, args: one === undefined ? [] : [one] }),
      end: () => db.close(),
    }
  }
  const db = new pg.Client(url)
  await db.connect()
  return { run: (sql, one) => db.query(sql, one === undefined ? [] : [one]), end: () => void db.end() }
}

const times = ['at']
const documents = ['before', 'after']
const numbers = ['seq']

/** One parameter holds all rows: a list with an object for each. */
function insertion(table: string, columns: string[]): string {
  const pick = (name: string) => {
    if (!isPostgres) return `value ->> '$.${name}'`
    if (documents.includes(name)) return `(value ->> '${name}')::jsonb`
    if (times.includes(name)) return `to_timestamp((value ->> '${name}')::bigint / 1000.0)`
    return numbers.includes(name) ? `(value ->> '${name}')::bigint` : `value ->> '${name}'`
  }
  const each = isPostgres ? 'json_array_elements($1::json) as value' : 'json_each(?)'
  return `insert into ${table} (${columns.join(', ')}) select ${columns.map(pick).join(', ')} from ${each}`
}

const rowColumns = Object.keys(rowOf(1))
const sealColumns = ['seq', 'audit_id', 'hash', 'at']
const db = await connect()
for (const table of ['audit_seals', 'audit']) await db.run(`delete from ${table}`)
let hash = NO_HASH
for (let from = 1; from <= count; from += batch) {
  const made = Array.from({ length: Math.min(batch, count - from + 1) }, (_, n) => rowOf(from + n))
  const seals = made.map((row, n) => {
    hash = sealOf(hash, from + n, row)
    return { seq: from + n, audit_id: row.id, hash, at: row.at.getTime() }
  })
  const stored = made.map((row) => ({
    ...row,
    at: row.at.getTime(),
    before: JSON.stringify(row.before),
    after: JSON.stringify(row.after),
  }))
  await db.run(insertion('audit', rowColumns), JSON.stringify(stored))
  await db.run(insertion('audit_seals', sealColumns), JSON.stringify(seals))
}
await db.run('analyze')
db.end()
