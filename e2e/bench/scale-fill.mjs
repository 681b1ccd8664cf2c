// A data folder of many repos with their git bytes and large files. One repo of each thousand is made through the API; the
// others are copies of its rows, whose packs are hard links. Large files are sparse: they take no space on the disk.
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '../fixtures/database.mjs'
import { startServer } from '../fixtures/server.mjs'
import { fillSqlite } from './many.mjs'
import { fillUsers } from './people.mjs'
import { hubClient, lfsFile, textFile } from './seed.mjs'

const objectBytes = 1e9
/** Beside the large file and `.gitattributes`. */
const texts = 8
const filesOf = texts + 2

const settings = { 'telemetry.log_level': 'warn' }

/** How much of everything there is; `share` of 1 is the whole. */
export const amounts = (share) => ({
  repos: 100_000 * share,
  files: 100_000 * share * filesOf,
  users: 10_000 * share,
  bytes: 100 * share * objectBytes,
})

/** Makes the folder. Each large file has zeros and a size of its own, so that each has another SHA-256. */
export async function fillScale(dir, share) {
  const { repos, users, bytes } = amounts(share)
  const objects = zeros(Math.round(bytes / objectBytes))
  const { templates, person } = await makeRepos(dir, objects.length)
  const file = join(dir, 'service.db')
  const db = openDatabase(dir)
  await addObjects(db, dir, { objects, templates })
  await commitAll(dir, person, objects)
  const copies = repos - templates.length
  await fillSqlite(file, copies)
  await fillUsers('sqlite', file, users)
  for (const sql of copying(templates)) await db.execute(sql)
  await linkPacks(db, join(dir, 'blobs'))
  await db.execute('analyze')
  db.close()
  return { files: `${person.username}/${nameOf(0)}`, person, objects }
}

const nameOf = (i) => (i === 0 ? 'info' : `base-${i}`)

/** One pass over the longest gives the hash of each. */
function zeros(count) {
  const hash = createHash('sha256')
  const mebibyte = Buffer.alloc(2 ** 20)
  let at = 0
  return Array.from({ length: count }, (_, i) => {
    const size = objectBytes + i * 4096
    for (; at < size; at += Math.min(mebibyte.length, size - at))
      hash.update(mebibyte.subarray(0, Math.min(mebibyte.length, size - at)))
    return { sha256: hash.copy().digest('hex'), size }
  })
}

/** Runs a server over the folder for as long as `work` takes. */
export async function withServer(dir, work) {
  const server = await startServer(settings, { dir })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

function makeRepos(dir, count) {
  return withServer(dir, async (server) => {
    const person = await server.newPerson('scale')
    const token = await person.token()
    const hub = hubClient(server.url, token)
    for (let i = 0; i < count; i++) await hub.create(`${person.username}/${nameOf(i)}`)
    const { items } = await person.native('GET', `/repos?type=models&limit=100`)
    const idOf = new Map(items.map(({ name, id }) => [name, id]))
    const templates = Array.from({ length: count }, (_, i) => idOf.get(nameOf(i)))
    return { templates, person: { username: person.username, password: person.password, token } }
  })
}

/** Rows and sparse bytes of the large files, each for its repo. */
async function addObjects(db, dir, { objects, templates }) {
  const now = Date.now()
  for (const [i, { sha256, size }] of objects.entries()) {
    const key = `lfs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.00000000-0000-7000-8000-000000000000`
    const path = join(dir, 'blobs', key)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    truncateSync(path, size)
    await db.execute({
      sql: 'insert into lfs_objects (sha256, key, size, created_at, touched_at) values (?, ?, ?, ?, ?)',
      args: [sha256, key, size, now, now],
    })
    await db.execute({
      sql: `insert into lfs_grants (repo_id, sha256, user_id, created_at, expires_at)
        select id, ?, created_by, ?, ? from repos where id = ?`,
      args: [sha256, now, now + 86_400_000, templates[i]],
    })
  }
}

function commitAll(dir, { username, token }, objects) {
  return withServer(dir, async (server) => {
    const hub = hubClient(server.url, token)
    for (const [i, { sha256, size }] of objects.entries()) {
      const files = Array.from({ length: texts }, (_, n) => textFile(`file-${n}.txt`, `${i} ${n}\n`))
      await hub.commit(`${username}/${nameOf(i)}`, 'all', [...files, lfsFile('weights.dat', sha256, size)])
    }
    const admin = await server.login()
    while ((await admin.native('GET', '/jobs?status=queued&limit=1')).items.length > 0)
      await new Promise((resolve) => setTimeout(resolve, 200))
  })
}

/** Statements that give every repo without refs the rows of a template. */
function copying(templates) {
  const names = templates.map((id, i) => `(${i}, '${id}')`).join(', ')
  // Ids end with the number of the repo.
  const dir = `'00000000-0000-7000-8001-' || substr(m.id, 25)`
  const from = (table) => `from scale_map m join ${table} r on r.repo_id = m.template`
  return [
    'create table scale_template (n integer primary key, id text)',
    `insert into scale_template values ${names}`,
    'create table scale_map (id text primary key, template text)',
    `insert into scale_map select r.id, t.id from repos r
      join scale_template t on t.n = cast(substr(r.id, 25) as integer) % ${templates.length}
      where r.id like '00000000-%'`,
    'create table scale_pack (repo_id text, template text, old text, id text)',
    `insert into scale_pack select m.id, m.template, r.id,
      printf('00000000-0000-7000-9%03d-%s', row_number() over (partition by m.id order by r.id), substr(m.id, 25))
      ${from('git_packs')} where r.state = 'live'`,
    `insert into git_packs (id, repo_id, state, source, sha1, objects, pack_bytes, idx_bytes, created_at)
      select p.id, p.repo_id, r.state, r.source, r.sha1, r.objects, r.pack_bytes, r.idx_bytes, r.created_at
      from scale_pack p join git_packs r on r.id = p.old`,
    `insert into git_refs (repo_id, name, oid, peeled_oid, updated_at, updated_by)
      select m.id, r.name, r.oid, r.peeled_oid, r.updated_at, r.updated_by ${from('git_refs')}`,
    `insert into git_commits select m.id, r.oid, r.chain, r.pos, r.parents, r.tree, r.author_name, r.author_email,
      r.author_time, r.author_tz, r.committer_name, r.committer_email, r.committer_time, r.committer_tz, r.subject, r.body,
      r.user_id ${from('git_commits')}`,
    `insert into git_chains select m.id, r.id, r.owner_ref, r.parent_chain, r.parent_pos, r.tip_pos ${from('git_chains')}`,
    `insert into git_dirs (id, repo_id, path) select ${dir}, m.id, r.path ${from('git_dirs')}`,
    `insert into git_changes (repo_id, dir_id, name, chain, pos, commit_oid, kind)
      select m.id, ${dir}, r.name, r.chain, r.pos, r.commit_oid, r.kind ${from('git_changes')}`,
    `insert into lfs_links select m.id, r.sha256, r.added_at ${from('lfs_links')}`,
    `insert into scan_refs (repo_id, ref, "commit", version, prune_seq, unsafe, suspicious, failed, missing, scanned_at)
      select m.id, r.ref, r."commit", r.version, r.prune_seq, r.unsafe, r.suspicious, r.failed, r.missing, r.scanned_at
      ${from('scan_refs')}`,
    `insert into scan_uses (repo_id, content) select m.id, r.content ${from('scan_uses')}`,
    `update git_repos set (ref_seq, lfs_marked_seq, pack_bytes) = (select t.ref_seq, t.ref_seq, t.pack_bytes
      from scale_map m join git_repos t on t.repo_id = m.template where m.id = git_repos.repo_id)
      where repo_id in (select id from scale_map)`,
    `update repo_heads set (bytes, files, indexed_commit) = (select t.bytes, t.files, t.indexed_commit
      from scale_map m join repo_heads t on t.repo_id = m.template where m.id = repo_heads.repo_id)
      where repo_id in (select id from scale_map)`,
    // As repos have it that are made by the API and that people have not liked yet.
    `update repos set likes = 0, address_key = type || '/' || namespace_id || '/' || name_key
      where id in (select id from scale_map)`,
    'drop table scale_map',
    'drop table scale_template',
  ]
}

/** The key of a pack has the last two digits of its repo's id. */
const folderOf = (repo) => join('git', repo.slice(-2), repo)

async function linkPacks(db, blobs) {
  const { rows } = await db.execute('select repo_id, template, old, id from scale_pack')
  for (const { repo_id, template, old, id } of rows) {
    const folder = join(blobs, folderOf(repo_id))
    mkdirSync(folder, { recursive: true })
    for (const kind of ['pack', 'idx'])
      linkSync(join(blobs, folderOf(template), `${old}.${kind}`), join(folder, `${id}.${kind}`))
  }
  await db.execute('drop table scale_pack')
}

/**
 * The large files of a store, linked into a place of backups, so that a backup finds and reads them and writes none: 100 GB
 * of zeros would fill the disk.
 */
export function linkLargeFiles(dir, place) {
  const from = join(dir, 'blobs', 'lfs')
  for (const name of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue
    const path = join(name.parentPath, name.name)
    const to = join(place, 'blobs', 'lfs', path.slice(from.length + 1))
    mkdirSync(dirname(to), { recursive: true })
    rmSync(to, { force: true })
    linkSync(path, to)
  }
}
