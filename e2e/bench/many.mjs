// 100 000 repos without content, with facets and tags as they are found: few values are frequent, most are rare.
import { createClient } from '@libsql/client'
import pg from 'pg'

const most = 100_000
const batch = 2000

/** Numbers that look random and are the same in every run. */
function dice(seed) {
  let state = seed
  return () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff
}

const lists = {
  task: 'text-generation text-classification fill-mask text-to-image feature-extraction image-classification token-classification question-answering automatic-speech-recognition object-detection translation summarization'.split(
    ' ',
  ),
  library: 'transformers diffusers peft sentence-transformers timm gguf keras spacy nemo mlx'.split(' '),
  format: ['safetensors', 'pytorch', 'gguf', 'onnx', 'tensorflow', 'jax', 'mlx', 'coreml'],
  licence: ['apache-2.0', 'mit', 'other', 'cc-by-4.0', 'llama3', 'openrail', 'gemma', 'cc-by-nc-4.0', 'bsd'],
  language: Array.from({ length: 60 }, (_, i) => `l${i}`),
  quant: ['Q4_K_M', 'Q8_0', 'Q5_K_M', 'Q6_K', 'Q4_K_S', 'Q3_K_M', 'Q2_K', 'IQ4_XS', 'F16'],
  modality: ['nlp', 'cv', 'multimodal', 'audio', 'tabular', 'rl'],
}

/** Facets and tags of the repo `i`. */
function factsOf(i) {
  const roll = dice(i * 7919 + 1)
  const one = (field) => lists[field][Math.floor(roll() ** 2.5 * lists[field].length)]
  const facets = ['task', 'library', 'format', 'licence', 'modality'].map((field) => [field, one(field)])
  facets.push(['language', one('language')])
  if (roll() < 0.3) facets.push(['language', one('language')], ['format', one('format')])
  if (roll() < 0.25) for (let n = 0; n < 4; n++) facets.push(['quant', one('quant')])
  const unique = [...new Map(facets.map((each) => [each.join('='), each])).values()]
  const tags = unique.map(([field, value]) => (field === 'licence' ? `license:${value}` : value))
  tags.push('region:us', `base_model:org-${i % 5000}/base`, `arxiv:2401.${String(i % 3000).padStart(5, '0')}`)
  return {
    facets: unique,
    tags: [...new Set(tags)],
    parameters: roll() < 0.6 ? Math.floor(10 ** (6 + roll() * 5)) : -1,
  }
}

/** Fills the database with the repos, in the namespace of the repo called `info`. `run` takes SQL and one parameter. */
async function fill(run, each, owner, count) {
  const insert = (table, names, rows) => {
    const picked = names.map((name, n) => each.pick(n, name.type))
    const columns = names.map(({ name }) => name).join(', ')
    return run(
      `insert into ${table} (${columns}) select ${picked.join(', ')} from ${each.rows}`,
      JSON.stringify(rows),
    )
  }
  const columns = (text) =>
    text.split(' ').map((word) => {
      const [name, type = 'text'] = word.split(':')
      return { name, type }
    })
  const ofRepos = columns(
    `id type namespace_id name name_key full_key visibility default_branch discussions_enabled:${each.bool} created_at:${each.time} updated_at:${each.time} likes:int downloads_30d:int downloads_total:int trending:int`,
  )
  const ofHeads = columns(
    'repo_id type bytes:bigint files:int task library licence parameters:bigint index_status index_version:int',
  )
  for (let from = 1; from <= count; from += batch) {
    const rows = { repos: [], heads: [], git: [], facets: [], tags: [] }
    for (let i = from; i < from + batch && i <= count; i++) {
      const id = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`
      const name = `many-${i}`
      const { facets, tags, parameters } = factsOf(i)
      const time = each.timeOf(1_700_000_000_000 + i * 1000)
      const seen = i % 20 === 0 ? 'private' : 'public'
      const figures = [i % 97, i % 89, i, i % 1009]
      const place = [name, name, `${owner.ns}/${name}`, seen, 'main', each.boolOf(true), time, time]
      rows.repos.push([id, 'model', owner.id, ...place, ...figures])
      const value = (field) => facets.find(([name]) => name === field)?.[1] ?? null
      const named = [value('task'), value('library'), value('licence'), parameters]
      rows.heads.push([id, 'model', 1000 + i, 1, ...named, 'ready', 1_000_000])
      rows.git.push([id, 1, 0, 0, 1000])
      for (const facet of facets) rows.facets.push([id, ...facet])
      for (const tag of tags) rows.tags.push([id, tag])
    }
    await insert('repos', ofRepos, rows.repos)
    await insert('repo_heads', ofHeads, rows.heads)
    await insert(
      'git_repos',
      columns('repo_id ref_seq:int prune_seq:int lfs_marked_seq:int pack_bytes:bigint'),
      rows.git,
    )
    await insert('repo_facets', columns('repo_id field value'), rows.facets)
    await insert('repo_tags', columns('repo_id tag'), rows.tags)
  }
}

const ownerOf = `select r.namespace_id as id, s.name_key as ns from repos r join namespaces s on s.id = r.namespace_id
  where r.name_key = 'info'`

/** Fills the SQLite database of a data folder whose server is not running. */
export async function fillSqlite(file, count = most) {
  const db = createClient({ url: `file:${file}` })
  const { rows } = await db.execute(ownerOf)
  const each = {
    rows: 'json_each(?)',
    pick: (n) => `value ->> ${n}`,
    bool: 'int',
    boolOf: Number,
    time: 'int',
    timeOf: (ms) => ms,
  }
  await fill((sql, parameter) => db.execute({ sql, args: [parameter] }), each, rows[0], count)
  await db.execute('analyze')
  db.close()
}

/** Fills a Postgres database whose server is not running. */
export async function fillPostgres(url, count = most) {
  const db = new pg.Client(url)
  await db.connect()
  const { rows } = await db.query(ownerOf)
  const each = {
    rows: 'json_array_elements($1::json) as value',
    pick: (n, type) => `(value ->> ${n})::${type}`,
    bool: 'boolean',
    boolOf: (value) => value,
    time: 'timestamptz',
    timeOf: (ms) => new Date(ms).toISOString(),
  }
  await fill((sql, parameter) => db.query(sql, [parameter]), each, rows[0], count)
  await db.query('analyze')
  await db.end()
}
