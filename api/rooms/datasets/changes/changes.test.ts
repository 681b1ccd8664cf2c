import { gzipSync } from 'node:zlib'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Deps } from '../../../core/ctx.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { eachStore, givenRepo, givenUser, testConfig } from '../../../testing.ts'
import { commit } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { parquetOf } from '../viewer/testing.ts'
import { datasetCompare, getDataChanges, queueDataChanges } from './job.ts'

type Files = Record<string, string | Buffer | null>

const card = (key: string, more = '') =>
  `---\nconfigs:\n- config_name: default\n  key: ${key}\n  data_files: "*.csv"\n${more}---\n`

eachStore('changes of data', (world) => {
  let owner: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
  })
  afterAll(async () => {
    const left = await readdir(join(world.dir, 'viewer', 'compare')).catch(() => [])
    expect(left, 'folders of comparisons that have ended').toEqual([])
  })

  async function add(repo: Repo, files: Files): Promise<string> {
    const operations = []
    for (const [path, content] of Object.entries(files)) {
      if (content === null) operations.push({ op: 'delete' as const, path })
      else if (typeof content === 'string' || !path.endsWith('.parquet'))
        operations.push({ op: 'add' as const, path, content: Buffer.from(content) })
      else {
        const { sha256, sizeBytes, bytes } = contentOf(content)
        await storeObject(
          world.ctx(owner),
          { repoId: repo.id, userId: owner.id },
          { sha256, sizeBytes },
          fromChunks(bytes),
        )
        operations.push({ op: 'add-lfs' as const, path, sha256, sizeBytes })
      }
    }
    const made = await commit(world.ctx(owner), repo, { title: 'Change data', operations, via: 'api' })
    return made.commit
  }
  async function given(before: Files, after: Files) {
    const repo = await givenRepo(world, owner, { type: 'dataset' })
    return { repo, base: await add(repo, before), head: await add(repo, after) }
  }
  async function changed(before: Files, after: Files, viewer: Record<string, unknown> = {}) {
    const { repo, base, head } = await given(before, after)
    const ctx = { ...world.ctx(owner), config: testConfig(world.dir, { viewer }) }
    const known = await getDataChanges(ctx, repo, { base, head })
    return known.changes ?? expect.fail('nothing is known')
  }
  const onlySplit = async (...given: Parameters<typeof changed>) => {
    const { configs } = await changed(...given)
    expect(configs).toHaveLength(1)
    expect(configs[0]?.splits).toHaveLength(1)
    return configs[0]?.splits[0]
  }

  test('rows are matched by the key that the card declares, with samples of each change', async () => {
    const split = await onlySplit(
      { 'README.md': card('id'), 'a.csv': 'id,text,n\n1,one,1\n2,two,2\n3,three,3\n4,four,4\n' },
      { 'a.csv': 'n,id,text\n1,1,one\n22,2,TWO\n4,4,four\n5,5,five\n' },
    )
    expect(split).toEqual({
      name: 'train',
      status: 'changed',
      files: { base: 1, head: 1 },
      rows: { base: 4, head: 4 },
      compared_by: 'key',
      added: 1,
      removed: 1,
      changed: 1,
      samples: [
        {
          change: 'changed',
          key: ['2'],
          cells: [
            { column: 'n', base: '2', head: '22' },
            { column: 'text', base: 'two', head: 'TWO' },
          ],
        },
        { change: 'added', key: ['5'], cells: [] },
        { change: 'removed', key: ['3'], cells: [] },
      ],
    })
  })

  test('a key of several columns, with quotes in their names, over several files and formats of text', async () => {
    const both = card('["a "" b", b]').replace('"a "" b"', `'a "" b'`)
    const split = await onlySplit(
      { 'README.md': both.replace('*.csv', '*'), 'x.csv.gz': gzipSync('"a """" b",b,c\n1,x,1\n1,y,2\n') },
      { 'x.csv.gz': gzipSync('"a """" b",b,c\n1,x,1\n'), 'y.csv': '"a """" b",b,c\n1,y,3\n2,y,4\n' },
    )
    expect(split).toMatchObject({ compared_by: 'key', added: 1, removed: 0, changed: 1 })
    expect(split?.samples.map(({ key }) => key)).toEqual([
      ['1', 'y'],
      ['2', 'y'],
    ])
  })

  test('without a key equal rows pair up as often as both sides have them', async () => {
    const split = await onlySplit(
      { 'data.jsonl': '{"a": 1, "b": [1, null]}\n{"a": 1, "b": [1, null]}\n{"a": 2, "b": []}\n' },
      {
        'data.jsonl':
          '{"a": 2, "b": []}\n{"a": 1, "b": [1, null]}\n{"a": 3, "b": [4]}\n{"a": 4, "b": null}\n',
      },
    )
    expect(split).toMatchObject({ compared_by: 'row', added: 2, removed: 1, rows: { base: 3, head: 4 } })
    expect(split).not.toHaveProperty('changed')
  })

  test.each([
    ['key_not_unique', card('id'), 'id,a\n1,x\n1,y\n'],
    ['key_not_unique', card('id'), 'id,a\n1,x\n,y\n'],
    ['key_missing', card('other'), 'id,a\n1,x\n2,y\n'],
  ])('a key that names no rows says so (%s), and whole rows are compared', async (note, readme, before) => {
    const split = await onlySplit({ 'README.md': readme, 'a.csv': before }, { 'a.csv': `${before}3,z\n` })
    expect(split).toMatchObject({ note, compared_by: 'row', added: 1, removed: 0 })
  })

  test('columns that come, go or change their type are listed, and rows are compared by the others', async () => {
    const { configs } = await changed(
      { 'README.md': card('id'), 'a.csv': 'id,gone,n\n1,x,1\n2,y,2\n' },
      { 'a.csv': 'id,n,new\n1,1.0,a\n2,2.5,b\n' },
    )
    const [config] = configs
    const value = (dtype: string) => ({ _type: 'Value', dtype })
    expect(config?.schema).toEqual({
      added: [{ name: 'new', type: value('string') }],
      removed: [{ name: 'gone', type: value('string') }],
      changed: [{ name: 'n', base: value('int64'), head: value('float64') }],
    })
    expect(config?.splits[0]).toMatchObject({ added: 0, removed: 0, changed: 1 })
  })

  test('Parquet in the store and in git: only files that differ are read', async () => {
    const file = (from: number, to: number, word = 'w') =>
      parquetOf(`SELECT range AS id, '${word}' || range AS word, 'x'::BLOB AS raw FROM range(${from}, ${to})`)
    const [first, second] = [await file(0, 5000), await file(5000, 6000)]
    const readme = '---\nconfigs:\n- config_name: default\n  key: id\n  data_files: "*.parquet"\n---\n'
    const split = await onlySplit(
      { 'README.md': readme, 'a.parquet': first, 'b.parquet': second, 'c.parquet': await file(8000, 8010) },
      { 'a.parquet': null, 'z.parquet': first, 'b.parquet': await file(5990, 6100, 'v') },
    )
    expect(split).toMatchObject({
      files: { base: 1, head: 1 },
      compared_by: 'key',
      added: 100,
      removed: 990,
      changed: 10,
    })
    expect(split?.samples[0]).toEqual({
      change: 'changed',
      key: ['5990'],
      cells: [{ column: 'word', base: 'w5990', head: 'v5990' }],
    })
  })

  test('splits and configs that come and go, and what cannot be read', async () => {
    const { configs } = await changed(
      { 'train.csv': 'a\n1\n', 'test.csv': 'a\n1\n2\n' },
      { 'test.csv': null, 'validation.csv': 'a\n7\n8\n9\n' },
    )
    expect(configs.map(({ name, status }) => [name, status])).toEqual([['default', 'changed']])
    expect(configs[0]?.splits).toMatchObject([
      { name: 'validation', status: 'added', added: 3, removed: 0 },
      { name: 'test', status: 'removed', added: 0, removed: 2 },
    ])
    const grown = await onlySplit(
      { 'train.csv': 'a\n1\n', 'test-1.csv': 'a\n2\n' },
      { 'test-2.csv': 'a\n3\n' },
    )
    expect(grown).toMatchObject({ name: 'test', status: 'changed', rows: { base: 0, head: 1 }, added: 1 })
    const bad = await onlySplit({ 'data.jsonl': '{"a": 1}\n' }, { 'data.jsonl': '{"a": \n' })
    expect(bad?.problem?.code).toBe('DatasetGenerationError')
    const none = await changed({ 'a.csv': 'a\n1\n' }, { 'a.csv': null })
    expect(none).toMatchObject({ configs: [], problem: { code: 'EmptyDatasetError' } })
    expect(await changed({ 'a.csv': 'a\n1\n' }, { 'notes.log': 'x' })).toEqual({
      configs: [],
      truncated: false,
    })
  })

  test('what the limits of the viewer do not let a server read whole is counted alone', async () => {
    const before = { 'a.csv': 'a\n1\n2\n3\n' }
    const after = { 'a.csv': 'a\n1\n2\n3\n4\n' }
    expect(await onlySplit(before, after, { max_scan_rows: 3 })).toEqual({
      name: 'train',
      status: 'changed',
      files: { base: 1, head: 1 },
      rows: { base: 3, head: 4 },
      note: 'too_many_rows',
      samples: [],
    })
    expect(await onlySplit(before, after, { max_convert_bytes: 6 })).toMatchObject({ note: 'partial' })
    expect(await changed(before, after, { enabled: false })).toMatchObject({
      problem: { code: 'NotSupportedDisabledViewerError' },
    })
  })

  test('large files are compared by a job, whose result answers callers who may read the files', async () => {
    const line = (n: number) => JSON.stringify({ id: n, text: 'x'.repeat(1000) })
    const text = (from: number, to: number) =>
      `${Array.from({ length: to - from }, (_, i) => line(from + i)).join('\n')}\n`
    const { repo, base, head } = await given(
      { 'data.jsonl': text(0, 5000) },
      { 'data.jsonl': text(10, 5005) },
    )
    const asked = { base, head }
    expect(await getDataChanges(world.ctx(owner), repo, asked)).toMatchObject({ changes: undefined })
    const job = await queueDataChanges(world.ctx(owner), repo, asked)
    expect((await queueDataChanges(world.ctx(owner), repo, asked)).id).toBe(job.id)
    const deps: Deps = world.deps
    await runJobs(deps, [datasetCompare])
    const { changes, bytes } = await getDataChanges(world.ctx(owner), repo, { base, head: 'main' })
    expect(bytes).toBeGreaterThan(9_000_000)
    expect(changes?.configs[0]?.splits[0]).toMatchObject({ added: 5, removed: 10, compared_by: 'row' })
    const stranger = await givenUser(world, 'stranger')
    await expect(getDataChanges(world.ctx(stranger), repo, asked)).rejects.toMatchObject({
      code: 'repo-not-found',
    })
  })
})
