import { execFileSync } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobKinds } from '../../../app/housekeeping.ts'
import type { UserActor } from '../../../core/access/index.ts'
import type { CheckOptions } from '../../../core/check.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { lfsCheck, linkArrived, markAbsent, openObject } from '../../../core/lfs/index.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import { commit, listRefs, listTree } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { pointerCheck } from '../../uploads/index.ts'
import { readDataset } from '../facts.ts'
import { givenObject } from '../../uploads/testing.ts'
import { datasetConvert, queueConversion } from './job.ts'

/** A conversion starts a process, which takes its time on a busy machine. */
eachDatabase('conversion of datasets', (world) => {
  let owner: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
  })
  afterAll(async () => {
    const left = await readdir(join(world.dir, 'viewer', 'convert')).catch(() => [])
    expect(left, 'folders of runs that have ended').toEqual([])
  })

  const add = (repo: Repo, files: Record<string, string | Buffer>) => {
    const operations = Object.entries(files).map(([path, content]) => ({
      op: 'add' as const,
      path,
      content: Buffer.from(content),
    }))
    return commit(world.ctx(owner), repo, { title: 'Add data', operations, via: 'api' })
  }
  const convert = async () => runJobs(world.deps, [datasetConvert])
  async function given(files: Record<string, string | Buffer>) {
    const repo = await givenRepo(world, owner, { type: 'dataset' })
    await add(repo, files)
    await convert()
    return { repo, dataset: (await readDataset(world.db, repo.id)) ?? expect.fail('no dataset') }
  }
  async function rowsOf(repo: Repo, sha256: string): Promise<Record<string, unknown>[]> {
    const object = await openObject(world.ctx(), repo.id, sha256)
    const bytes = await collect(await object.open(), 1 << 24)
    return parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors })
  }

  test('CSV files become Parquet under refs/convert/parquet, with counts, types and first rows', async () => {
    const { repo, dataset } = await given({
      'train.csv': 'id,name\n1,Ada\n9007199254740993,"Grace\nH"\n',
      'test.csv': 'id,name\n3,\n',
    })
    expect(dataset).toMatchObject({ status: 'ready', problem: null })
    expect(dataset.configs).toMatchObject([
      { name: 'default', builder: 'csv', is_exact: true, is_default: true, status: 'ready' },
    ])
    const [config] = dataset.configs
    expect(config?.features).toEqual([
      { name: 'id', type: { _type: 'Value', dtype: 'int64' } },
      { name: 'name', type: { _type: 'Value', dtype: 'string' } },
    ])
    expect(config?.splits.map(({ name, rows }) => [name, rows])).toEqual([
      ['train', 2],
      ['test', 1],
    ])
    const [file] = config?.splits[0]?.files ?? []
    expect(await rowsOf(repo, file?.sha256 ?? '')).toEqual([
      { id: 1n, name: 'Ada' },
      { id: 9007199254740993n, name: 'Grace\nH' },
    ])
    const { t, q } = world.db
    const answers = await q.select().from(t.dataset_answers).where(eq(t.dataset_answers.repo_id, repo.id))
    const first = answers.find(({ split }) => split === 'train')
    expect(gunzipSync(first?.body ?? '').toString()).toContain('"id":9007199254740993')
    const refs = await listRefs(world.ctx(owner), repo)
    expect(refs.map(({ name }) => name)).toContain('refs/convert/parquet')
    const { entries } = await listTree(world.ctx(owner), repo, {
      revision: 'refs/convert/parquet',
      isRecursive: true,
      withLastCommits: false,
      limit: 100,
    })
    expect(entries.filter(({ kind }) => kind === 'file').map(({ path }) => path)).toEqual([
      '.gitattributes',
      'default/test/0000.parquet',
      'default/train/0000.parquet',
    ])
    const options: CheckOptions = { deep: true, repair: false, repoId: repo.id }
    for (const check of [lfsCheck, pointerCheck])
      for await (const finding of check.run(world.deps, options)) expect.fail(JSON.stringify(finding))
  })

  test('a commit that changes no data leaves the export, and notes its commit', async () => {
    const { repo, dataset } = await given({ 'data.jsonl': '{"a": 1}\n' })
    const { commit: sha } = await add(repo, { 'notes.log': 'x' })
    await convert()
    const now = await readDataset(world.db, repo.id)
    expect(now).toMatchObject({ converted_commit: sha, export_commit: dataset.export_commit })
  })

  test('an export is replaced by that of new data, in one commit without parents', async () => {
    const { repo, dataset } = await given({ 'data.jsonl': '{"a": 1}\n' })
    await add(repo, { 'data.jsonl': '{"a": 1}\n{"a": 2}\n' })
    await convert()
    const now = await readDataset(world.db, repo.id)
    expect(now?.configs[0]?.splits[0]).toMatchObject({ rows: 2 })
    expect(now?.export_commit).not.toBe(dataset.export_commit)
    const snapshot = await world.deps.git.open(repo.id)
    expect(await snapshot.findCommit(now?.export_commit ?? '')).toMatchObject({ parents: [] })
  })

  test('what cannot be converted says why, and the other configs are shown', async () => {
    const card =
      '---\nconfigs:\n- config_name: good\n  data_files: a.csv\n- config_name: bad\n  data_files: b.csv\n---\n'
    const { dataset } = await given({ 'README.md': card, 'a.csv': 'a,b\n1,2\n', 'b.csv': 'a,b\n1,2,3\n' })
    expect(dataset.status).toBe('ready')
    expect(dataset.configs).toMatchObject([
      { name: 'bad', status: 'failed', problem: { code: 'DatasetGenerationError' } },
      { name: 'good', status: 'ready' },
    ])
    expect(dataset.configs[0]?.problem?.message).toContain('b.csv')
  })

  test.each([
    [
      'configs:\n- config_name: a\n  data_files: a.csv\nconfigs:\n- config_name: b\n  data_files: a.csv\n',
      'Line 5: Map keys must be unique',
    ],
    ['a: [\n', 'The metadata in README.md cannot be read. '],
    ['- a\n', 'must be a map'],
  ])('a card of %j gives no configs by guess, and says why', async (yaml, message) => {
    const { dataset } = await given({ 'README.md': `---\n${yaml}---\n`, 'a.csv': 'a,b\n1,2\n' })
    expect(dataset).toMatchObject({
      status: 'failed',
      configs: [],
      problem: { code: 'ConfigNamesError', message: expect.stringContaining(message) },
    })
  })

  test('a dataset of a script, and splits of several formats, are refused with a reason', async () => {
    const repo = await givenRepo(world, owner, { type: 'dataset' })
    await add(repo, { [`${repo.name}.py`]: 'import datasets\n', 'a.csv': 'a,b\n1,2\n' })
    await convert()
    expect(await readDataset(world.db, repo.id)).toMatchObject({
      status: 'unsupported',
      problem: {
        code: 'DatasetWithScriptNotSupportedError',
        message: expect.stringContaining(`${repo.name}.py`),
      },
    })
    const { dataset } = await given({ 'train.csv': 'a,b\n1,2\n', 'test.jsonl': '{"a": 1}\n' })
    expect(dataset).toMatchObject({
      status: 'failed',
      problem: {
        code: 'FileFormatMismatchBetweenSplitsError',
        message: expect.stringContaining('train: csv, test: json'),
      },
    })
  })

  test('data files that are not here, as in a mirror, are converted once they have come', async () => {
    const repo = await givenRepo(world, owner, { type: 'dataset' })
    const content = await givenObject(world, owner, repo, contentOf(Buffer.from('a,b\n1,2\n')))
    const { sha256, sizeBytes } = content
    const operations = [{ op: 'add-lfs' as const, path: 'data.csv', sha256, sizeBytes }]
    await commit(world.ctx(owner), repo, { title: 'Add data', operations, via: 'api' })
    const { lfs_links: links } = world.db.t
    await world.db.write(async (tx) => {
      await tx.q.delete(links).where(eq(links.repo_id, repo.id))
      await markAbsent(tx, repo.id, [content], world.clock.now)
    })
    await convert()
    expect(await readDataset(world.db, repo.id)).toMatchObject({ status: 'missing_files' })
    await world.db.write(async (tx) => {
      await linkArrived(tx, repo.id, [sha256], world.clock.now)
      await queueConversion(tx, world.deps, repo.id)
    })
    await convert()
    expect(await readDataset(world.db, repo.id)).toMatchObject({ status: 'ready', problem: null })
  })

  test('a card whose block has no end has no metadata', async () => {
    const { dataset } = await given({ 'README.md': '---\nviewer: false\n', 'a.csv': 'a,b\n1,2\n' })
    expect(dataset).toMatchObject({ status: 'ready', configs: [{ name: 'default' }] })
  })

  /** A zip file as Python makes one. */
  const zip = (members: Record<string, string>) =>
    execFileSync(
      'python3',
      [
        '-c',
        'import io, json, sys, zipfile\nout = io.BytesIO()\nwith zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as f:\n  for n, c in json.load(sys.stdin).items(): f.writestr(n, c)\nsys.stdout.buffer.write(out.getvalue())',
      ],
      { input: JSON.stringify(members) },
    )

  test('zip files of data are read member by member, in the order of the library', async () => {
    const { repo, dataset } = await given({
      'train.zip': zip({
        'z.csv': 'a,b\n1,2\n',
        'sub/c.csv': 'a,b\n3,4\n',
        '__MACOSX/q.csv': 'junk',
        '.hidden.csv': 'junk',
        'empty/': '',
        'a.csv': 'a,b\n5,6\n',
      }),
      'test.csv.zip': zip({ 'x.csv': 'a,b\n7,8\n' }),
    })
    expect(dataset).toMatchObject({ status: 'ready', problem: null })
    const [config] = dataset.configs
    expect(config).toMatchObject({ builder: 'csv', is_exact: true })
    const rows = []
    for (const { files } of config?.splits ?? []) rows.push(await rowsOf(repo, files[0]?.sha256 ?? ''))
    const row = (a: bigint, b: bigint) => ({ a, b })
    expect(rows).toEqual([[row(5n, 6n), row(1n, 2n), row(3n, 4n)], [row(7n, 8n)]])
  })

  test('zip files that are damaged, packed to hurt or hold what is packed once more say why', async () => {
    const whole = zip({ 'x.csv': 'one\ntwo\n'.repeat(1000) })
    const damaged = Buffer.from(whole)
    damaged[45] = (damaged[45] ?? 0) ^ 0xff
    for (const [content, reason] of [
      [whole.subarray(0, -30), 'no zip file'],
      [damaged, 'x.csv in data.csv.zip cannot be decompressed'],
      [zip({ 'x.csv.gz': 'x' }), 'x.csv.gz in data.csv.zip cannot be decompressed'],
      [zip({ 'x.csv.lz4': 'x' }), 'compressed as LZ4'],
      [Buffer.from('one\n'), 'no zip file'],
    ] as const) {
      const { dataset } = await given({ 'data.csv.zip': content })
      expect(dataset.status).toBe('failed')
      expect(dataset.configs[0]?.problem?.message).toContain(reason)
    }
    const lines = await given({ 'data.txt.zip': zip({ 'x.txt.gz': 'x' }) })
    expect(lines.dataset.configs[0]?.problem?.message).toContain('compressed once more')
    const unknown = await given({ 'data.zip': 'no archive' })
    expect(unknown.dataset.problem?.code).toBe('DataFilesNotFoundError')
  })

  test('an empty dataset says that it holds no data, and `viewer: false` turns it off', async () => {
    const { dataset } = await given({ LICENSE: 'MIT' })
    expect(dataset).toMatchObject({ status: 'failed', problem: { code: 'DataFilesNotFoundError' } })
    const off = await given({ 'README.md': '---\nviewer: false\n---\n', 'a.csv': 'a,b\n1,2\n' })
    expect(off.dataset).toMatchObject({
      status: 'disabled',
      problem: { code: 'NotSupportedDisabledViewerError' },
    })
  })

  test('Parquet files are named by the export as they are', async () => {
    const made = await given({ 'data.jsonl': '{"a": 1, "t": "x"}\n{"a": 2, "t": "y"}\n' })
    const [file] = made.dataset.configs[0]?.splits[0]?.files ?? []
    const object = await openObject(world.ctx(), made.repo.id, file?.sha256 ?? '')
    const bytes = await collect(await object.open(), 1 << 24)
    const { dataset } = await given({ 'data/train-00000-of-00001.parquet': bytes })
    expect(dataset.configs[0]).toMatchObject({ builder: 'parquet', status: 'ready', is_exact: true })
    expect(dataset.configs[0]?.splits[0]?.files).toMatchObject([
      { sha256: file?.sha256, rows: 2, path: 'default/train/0000.parquet' },
    ])
    const broken = await given({ 'x.parquet': bytes.subarray(0, 40) })
    expect(broken.dataset.configs[0]?.problem?.message).toContain('x.parquet')
  })

  test.each([
    ['line', ['a', 'b', '', 'c']],
    ['paragraph', ['a\nb', 'c\n']],
    ['document', ['a\nb\n\nc\n']],
  ])('text is read by %s', async (unit, texts) => {
    const card = `---\nconfigs:\n- config_name: default\n  data_files: x.txt\n  sample_by: ${unit}\n---\n`
    const { repo, dataset } = await given({ 'README.md': card, 'x.txt': 'a\r\nb\n\nc\n' })
    expect(dataset.configs[0]).toMatchObject({ is_exact: true, problem: null })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    expect((await rowsOf(repo, file?.sha256 ?? '')).map(({ text }) => text)).toEqual(texts)
  })

  test('lines of text keep their ends where the card says so', async () => {
    const card =
      '---\nconfigs:\n- config_name: default\n  data_files: "*.txt"\n  keep_linebreaks: true\n---\n'
    const { repo, dataset } = await given({
      'README.md': card,
      '1.txt': 'a\r\n\nb\n',
      '2.txt': 'c\n',
      '3.txt': 'd\ne',
      '4.txt': '\n',
      '5.txt': 'f',
    })
    expect(dataset.configs[0]).toMatchObject({ is_exact: true, problem: null, warnings: [] })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    const texts = (await rowsOf(repo, file?.sha256 ?? '')).map(({ text }) => text)
    expect(texts).toEqual(['a\n', '\n', 'b\n', 'c\n', 'd\n', 'e', '\n', 'f'])
  })

  test('many lines without an end behind the last one keep their ends and their order', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}`)
    const card = '---\nconfigs:\n- config_name: default\n  data_files: x.txt\n  keep_linebreaks: true\n---\n'
    const { repo, dataset } = await given({ 'README.md': card, 'x.txt': lines.join('\n') })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    const texts = (await rowsOf(repo, file?.sha256 ?? '')).map(({ text }) => text)
    expect(texts).toHaveLength(lines.length)
    expect(texts.join('')).toBe(lines.join('\n'))
  })

  test('rows under a key of one JSON object are read where the card names the key', async () => {
    const card = '---\nconfigs:\n- config_name: default\n  data_files: x.json\n  field: a/b\n---\n'
    const { repo, dataset } = await given({
      'README.md': card,
      'x.json': '{"version": 1,\n "a/b": [{"n": 9007199254740993}, {"n": 2}]}',
    })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    expect(await rowsOf(repo, file?.sha256 ?? '')).toEqual([{ n: 9007199254740993n }, { n: 2n }])
    const wrong = await given({ 'README.md': card, 'x.json': '{"b": [{"n": 1}]}' })
    expect(wrong.dataset.configs[0]?.problem?.message).toContain('"a/b"')
  })

  test('an XML file is a row', async () => {
    const { repo, dataset } = await given({ 'a.xml': '<a>\r\n</a>', 'b.xml': '<b/>' })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    expect(await rowsOf(repo, file?.sha256 ?? '')).toEqual([{ xml: '<a>\n</a>' }, { xml: '<b/>' }])
  })

  test('rows and modalities of the export are those of the lists', async () => {
    const { repo } = await given({ 'data.csv': 'a,b\n1,2\n3,4\n' })
    await runJobs(world.deps, jobKinds)
    const { repo_heads: h, repo_facets: f } = world.db.t
    const [head] = await world.db.q.select({ rows: h.rows }).from(h).where(eq(h.repo_id, repo.id))
    expect(head).toEqual({ rows: 2 })
    const facets = await world.db.q.select().from(f).where(eq(f.repo_id, repo.id))
    expect(facets.map(({ field, value }) => `${field} ${value}`)).toEqual(
      expect.arrayContaining(['size_category n<1K', 'modality tabular']),
    )
  })
})
