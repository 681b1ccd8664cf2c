// Parts of a dataset come alone, by its configs and splits, and the library of datasets loads them from here.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { hubClient, textFile } from '../bench/seed.mjs'
import { loadWith } from './loader.mjs'
import { download, ended, givenLarge, startApart } from './upstream.mjs'

const card = `---
configs:
- config_name: en
  data_files:
  - split: train
    path: en/train.jsonl
  - split: test
    path: en/test.jsonl
- config_name: fr
  data_files:
  - split: train
    path: fr/*.jsonl
---
# Sentences
`
const rows = {
  'en/train.jsonl': ['one', 'two', 'three'],
  'en/test.jsonl': ['four'],
  'fr/a.jsonl': ['un', 'deux'],
  'fr/b.jsonl': ['trois'],
}

let site
let between
let server
let owner
let person
let dir
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-datasets-'))
  site = await startApart()
  ;({ between, server } = site)
  owner = { ...site.owner, hub: hubClient(site.upstream.url, site.owner.secret, 'dataset') }
  person = await server.newPerson('puller')
})
after(async () => {
  await site?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

/** A dataset at the upstream, all of whose data files are large ones: bytes that are here already come without a pull. */
async function given(name) {
  const repo = `${owner.username}/${name}`
  await owner.hub.create(repo)
  /** @type {object[]} */
  const lines = [textFile('README.md', card)]
  for (const [path, texts] of Object.entries(rows)) {
    const bytes = Buffer.from(texts.map((text) => `${JSON.stringify({ text, of: name })}\n`).join(''))
    lines.push(await givenLarge(owner, repo, path, bytes))
  }
  await owner.hub.commit(repo, 'first', lines)
  return repo
}

const pull = (repo, selection) =>
  person.native('POST', '/pulls', { upstream: 'near', type: 'dataset', repo, selection })

/** Pulls a part and answers the data files that are here then. */
async function pulled(repo, selection) {
  const job = await ended(person, (await pull(repo, selection)).id)
  assert.equal(job.status, 'succeeded', JSON.stringify(job))
  const { entries } = await person.native('GET', `/repos/datasets/${repo}/tree/main?recursive=true`)
  return entries
    .filter(({ path, presence }) => path in rows && presence === 'present')
    .map(({ path }) => path)
    .toSorted()
}

/** What the library of datasets loads, as on a new machine. */
async function loaded(repo, config) {
  const home = await mkdtemp(join(dir, 'home-'))
  return loadWith((await ensurePython()).b, ['rows.py', repo, config], { url: server.url, home })
}

test('a config comes without the others, and is loaded without the upstream', async () => {
  const repo = await given('config')
  assert.deepEqual(await pulled(repo, { configs: ['en'] }), ['en/test.jsonl', 'en/train.jsonl'])
  between.isDown = true
  try {
    assert.deepEqual(await loaded(repo, 'en'), {
      train: rows['en/train.jsonl'],
      test: rows['en/test.jsonl'],
    })
    const absent = await download(server.url, `datasets/${repo}`, 'main', 'fr/a.jsonl')
    assert.equal(absent.status, 422)
  } finally {
    between.isDown = false
  }
  // What is pulled next adds to it.
  assert.deepEqual(await pulled(repo, { configs: ['fr'] }), Object.keys(rows).toSorted())
  assert.deepEqual(await loaded(repo, 'fr'), { train: [...rows['fr/a.jsonl'], ...rows['fr/b.jsonl']] })
})

test('a split is that of all configs, or of those that are named', async () => {
  const all = await given('split')
  assert.deepEqual(await pulled(all, { splits: ['train'] }), ['en/train.jsonl', 'fr/a.jsonl', 'fr/b.jsonl'])
  const one = await given('both')
  assert.deepEqual(await pulled(one, { configs: ['en'], splits: ['test'] }), ['en/test.jsonl'])
  const { selection } = await person.native('GET', `/repos/datasets/${one}/mirror`)
  assert.deepEqual(selection, { configs: ['en'], splits: ['test'] })
})

test('Discover says which configs there are, and which large files each has', async () => {
  const repo = await given('shown')
  const { configs } = await person.native('GET', `/discover/datasets/${repo}?upstream=near`)
  assert.deepEqual(configs, [
    { name: 'en', splits: ['train', 'test'], files: ['en/train.jsonl', 'en/test.jsonl'] },
    { name: 'fr', splits: ['train'], files: ['fr/a.jsonl', 'fr/b.jsonl'] },
  ])
})

test('a config or split that is not there is refused before anything is fetched', async () => {
  const repo = await given('absent')
  await assert.rejects(pull(repo, { configs: ['de'] }), /422.*no large file/is)
  await assert.rejects(pull(repo, { configs: ['fr'], splits: ['test'] }), /422.*no large file/is)
  await assert.rejects(person.native('GET', `/repos/datasets/${repo}`), /404/)
})
