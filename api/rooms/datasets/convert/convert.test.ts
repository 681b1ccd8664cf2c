import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { jobKinds } from '../../../app/housekeeping.ts'
import type { CheckOptions } from '../../../core/check.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { lfsCheck, linkArrived, markAbsent, openObject } from '../../../core/lfs/index.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenRepo } from '../../../testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import { commit, listRefs, listTree } from '../../content/index.ts'
import { pointerCheck } from '../../uploads/index.ts'
import { readDataset } from '../facts.ts'
import { givenObject } from '../../uploads/testing.ts'
import { queueConversion } from './job.ts'
import { ConvertSite } from './testing/convert-site.ts'

/** A conversion starts a process, which takes its time on a busy machine. */
eachDatabase('conversion of datasets', (world) => {
  const site = new ConvertSite(world)

  test('CSV files become Parquet under refs/convert/parquet, with counts, types and first rows', async () => {
    const { repo, dataset } = await site.given({
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
    expect(await site.rowsOf(repo, file?.sha256)).toEqual([
      { id: 1n, name: 'Ada' },
      { id: 9007199254740993n, name: 'Grace\nH' },
    ])
    const { t, q } = world.db
    const answers = await q.select().from(t.dataset_answers).where(eq(t.dataset_answers.repo_id, repo.id))
    const first = answers.find(({ split }) => split === 'train')
    expect(gunzipSync(first?.body ?? '').toString()).toContain('"id":9007199254740993')
    const refs = await listRefs(world.ctx(site.owner), repo)
    expect(refs.map(({ name }) => name)).toContain('refs/convert/parquet')
    const { entries } = await listTree(world.ctx(site.owner), repo, {
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
    const { repo, dataset } = await site.given({ 'data.jsonl': '{"a": 1}\n' })
    const { commit: sha } = await site.add(repo, { 'notes.log': 'x' })
    await site.convert()
    const now = await readDataset(world.db, repo.id)
    expect(now).toMatchObject({ converted_commit: sha, export_commit: dataset.export_commit })
  })

  test('an export is replaced by that of new data, in one commit without parents', async () => {
    const { repo, dataset } = await site.given({ 'data.jsonl': '{"a": 1}\n' })
    await site.add(repo, { 'data.jsonl': '{"a": 1}\n{"a": 2}\n' })
    await site.convert()
    const now = await readDataset(world.db, repo.id)
    expect(now?.configs[0]?.splits[0]).toMatchObject({ rows: 2 })
    expect(now?.export_commit).not.toBe(dataset.export_commit)
    const snapshot = await world.deps.git.open(repo.id)
    expect(await snapshot.findCommit(now?.export_commit ?? '')).toMatchObject({ parents: [] })
  })

  test('what cannot be converted says why, and the other configs are shown', async () => {
    const card =
      '---\nconfigs:\n- config_name: good\n  data_files: a.csv\n- config_name: bad\n  data_files: b.csv\n---\n'
    const { dataset } = await site.given({
      'README.md': card,
      'a.csv': 'a,b\n1,2\n',
      'b.csv': 'a,b\n1,2,3\n',
    })
    expect(dataset.status).toBe('ready')
    expect(dataset.configs).toMatchObject([
      { name: 'bad', status: 'failed', problem: { code: 'DatasetGenerationError' } },
      { name: 'good', status: 'ready' },
    ])
    expect(dataset.configs[0]?.problem?.message).toContain('b.csv')
  })

  test('a dataset of a script, and splits of several formats, are refused with a reason', async () => {
    const repo = await givenRepo(world, site.owner, { type: 'dataset' })
    await site.add(repo, { [`${repo.name}.py`]: 'import datasets\n', 'a.csv': 'a,b\n1,2\n' })
    await site.convert()
    expect(await readDataset(world.db, repo.id)).toMatchObject({
      status: 'unsupported',
      problem: {
        code: 'DatasetWithScriptNotSupportedError',
        message: expect.stringContaining(`${repo.name}.py`),
      },
    })
    const { dataset } = await site.given({ 'train.csv': 'a,b\n1,2\n', 'test.jsonl': '{"a": 1}\n' })
    expect(dataset).toMatchObject({
      status: 'failed',
      problem: {
        code: 'FileFormatMismatchBetweenSplitsError',
        message: expect.stringContaining('train: csv, test: json'),
      },
    })
  })

  test('data files that are not here, as in a mirror, are converted once they have come', async () => {
    const repo = await givenRepo(world, site.owner, { type: 'dataset' })
    const content = await givenObject(world, site.owner, repo, contentOf(Buffer.from('a,b\n1,2\n')))
    const { sha256, sizeBytes } = content
    const operations = [{ op: 'add-lfs' as const, path: 'data.csv', sha256, sizeBytes }]
    await commit(world.ctx(site.owner), repo, { title: 'Add data', operations, via: 'api' })
    const { lfs_links: links } = world.db.t
    await world.db.write(async (tx) => {
      await tx.q.delete(links).where(eq(links.repo_id, repo.id))
      await markAbsent(tx, repo.id, [content], world.clock.now)
    })
    await site.convert()
    expect(await readDataset(world.db, repo.id)).toMatchObject({ status: 'missing_files' })
    await world.db.write(async (tx) => {
      await linkArrived(tx, repo.id, [sha256], world.clock.now)
      await queueConversion(tx, world.deps, repo.id)
    })
    await site.convert()
    expect(await readDataset(world.db, repo.id)).toMatchObject({ status: 'ready', problem: null })
  })

  test('an empty dataset says that it holds no data, and `viewer: false` turns it off', async () => {
    const { dataset } = await site.given({ LICENSE: 'MIT' })
    expect(dataset).toMatchObject({ status: 'failed', problem: { code: 'DataFilesNotFoundError' } })
    const off = await site.given({ 'README.md': '---\nviewer: false\n---\n', 'a.csv': 'a,b\n1,2\n' })
    expect(off.dataset).toMatchObject({
      status: 'disabled',
      problem: { code: 'NotSupportedDisabledViewerError' },
    })
  })

  test('Parquet files are named by the export as they are', async () => {
    const made = await site.given({ 'data.jsonl': '{"a": 1, "t": "x"}\n{"a": 2, "t": "y"}\n' })
    const [file] = made.dataset.configs[0]?.splits[0]?.files ?? []
    const object = await openObject(world.ctx(), made.repo.id, file?.sha256 ?? '')
    const bytes = await collect(await object.open(), 1 << 24)
    const { dataset } = await site.given({ 'data/train-00000-of-00001.parquet': bytes })
    expect(dataset.configs[0]).toMatchObject({ builder: 'parquet', status: 'ready', is_exact: true })
    expect(dataset.configs[0]?.splits[0]?.files).toMatchObject([
      { sha256: file?.sha256, rows: 2, path: 'default/train/0000.parquet' },
    ])
    const broken = await site.given({ 'x.parquet': bytes.subarray(0, 40) })
    expect(broken.dataset.configs[0]?.problem?.message).toContain('x.parquet')
  })

  test('rows and modalities of the export are those of the lists', async () => {
    const { repo } = await site.given({ 'data.csv': 'a,b\n1,2\n3,4\n' })
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
