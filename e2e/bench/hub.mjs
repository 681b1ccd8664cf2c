// Lists, info and a long thread over 100 000 repos; a list next to its SQL statement alone.
import { openDatabase } from '../fixtures/database.mjs'
import { join } from 'node:path'
import { fillSqlite } from './many.mjs'
import { load, row, seconds } from './measure.mjs'
import { hubClient, textFile } from './seed.mjs'

const rounds = 200
const events = 1000

/** A long thread of the repo called `info`. */
const rows = [
  // Nine comments and a commit, again and again.
  `insert into discussions (id, repo_id, num, kind, status, title, author_id, comment_count, created_at, updated_at)
   select 'long', id, 1, 'discussion', 'open', 'A long thread', namespace_id, ${events}, 1700000000000, 1700000000000
   from repos where name_key = 'info'`,
  `insert into discussion_events (id, discussion_id, type, author_id, created_at, body, edits, after, commit_oid)
   with recursive n(i) as (select 1 union all select i + 1 from n where i < ${events})
   select printf('00000000-0000-7000-8000-%012d', i), d.id, iif(i % 10, 'comment', 'commit'), d.author_id,
     1700000000000 + i * 1000, iif(i % 10, printf('%.*c', 200, 'x'), null), 0,
     iif(i % 10, null, 'More of it'), iif(i % 10, null, randomblob(20))
   from n, discussions d`,
]

const query = 'filter=transformers&filter=license:mit&limit=50'
const statement = `
  select r.*, n.name as ns from repos r join namespaces n on n.id = r.namespace_id
  where r.type = 'model' and r.deleted_at is null and r.visibility = 'public'
    and exists (select 1 from repo_tags t where t.repo_id = r.id and t.tag = 'transformers')
    and exists (select 1 from repo_tags t where t.repo_id = r.id and t.tag = 'license:mit')
  order by r.trending desc, r.id desc limit 51`

/** Fills the database of a data folder whose server is not running, in the namespace of the repo called `info`. */
export async function givenMany(dir) {
  await fillSqlite(join(dir, 'service.db'))
  const db = openDatabase(dir)
  for (const sql of rows) await db.execute(sql)
  db.close()
}

/** A small model as most are: a card and a dozen files. */
export async function givenInfo(server, token, repo) {
  const hub = hubClient(server.url, token)
  await hub.create(repo)
  const files = Array.from({ length: 12 }, (_, i) => textFile(`file-${i}.txt`, `${i}\n`))
  const card = '---\nlicense: mit\nlibrary_name: transformers\npipeline_tag: text-generation\n---\n# Info\n'
  await hub.commit(repo, 'all', [textFile('README.md', card), ...files])
}

const p95 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] * 1000
const ms = (value) => `${value.toFixed(1)} ms`

/** Both in turns, so that they meet the same machine. */
export async function list(server, dir, token) {
  const db = openDatabase(dir)
  const headers = { Authorization: `Bearer ${token}` }
  const [ours, raw] = [[], []]
  for (let i = 0; i < rounds; i++) {
    raw.push(await seconds(() => db.execute(statement)))
    ours.push(
      await seconds(async () => {
        const answer = await fetch(`${server.url}/api/models?${query}`, { headers })
        const lines = await answer.json()
        if (lines.length !== 50) throw new Error(`a list of ${lines.length} repos`)
      }),
    )
  }
  db.close()
  const figure = p95(ours.slice(20)) - p95(raw.slice(20))
  const what = 'list of 100 000 repos by two filters, p95'
  return row(
    what,
    ms(p95(ours.slice(20))),
    `its SQL ${ms(p95(raw.slice(20)))}`,
    figure,
    '≤ 5 ms more',
    figure <= 5,
  )
}

/** One discussion with its whole thread, on either surface. */
export async function threads(server, token, repo) {
  const headers = { Authorization: `Bearer ${token}` }
  const surfaces = { hub: '/api/models', native: '/api/service/v1/repos/models' }
  const worst = {}
  for (const [name, base] of Object.entries(surfaces)) {
    const times = []
    for (let i = 0; i < rounds; i++)
      times.push(
        await seconds(async () => {
          const answer = await fetch(`${server.url}${base}/${repo}/discussions/1`, { headers })
          const thread = await answer.json()
          if (thread.events.length !== events) throw new Error(`a thread of ${thread.events.length}`)
        }),
      )
    worst[name] = p95(times.slice(20))
  }
  const figure = Math.max(...Object.values(worst))
  const what = `thread of ${events} events, p95 of the slower surface`
  return row(
    what,
    ms(figure),
    `hub ${ms(worst.hub)}, native ${ms(worst.native)}`,
    figure,
    '≤ 50 ms',
    figure <= 50,
  )
}

export async function info(server, token, repo) {
  const request = {
    url: `${server.url}/api/models/${repo}`,
    method: 'GET',
    headers: { Authorization: `Bearer ${token}` },
    status: 200,
    lanes: 16,
  }
  await load({ ...request, total: 3000 })
  const rates = []
  for (let i = 0; i < 5; i++) rates.push(6000 / (await seconds(() => load({ ...request, total: 6000 }))))
  const figure = Math.max(...rates)
  return row(
    'info of a repo, 16 connections',
    `${figure.toFixed(0)} per second`,
    '',
    figure,
    '≥ 1 500 /s',
    figure >= 1500,
  )
}
