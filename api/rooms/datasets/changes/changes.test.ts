import { expect, test } from 'vitest'
import type { Deps } from '../../../core/ctx.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { eachStore, givenUser } from '../../../testing.ts'
import { parquetOf } from '../viewer/testing.ts'
import { ChangeSite } from './testing.ts'
import { datasetCompare, getDataChanges, queueDataChanges } from './job.ts'

eachStore('changes of data', (world) => {
  const site = new ChangeSite(world)

  test('Parquet in the store and in git: only files that differ are read', async () => {
    const file = (from: number, to: number, word = 'w') =>
      parquetOf(`SELECT range AS id, '${word}' || range AS word, 'x'::BLOB AS raw FROM range(${from}, ${to})`)
    const [first, second] = [await file(0, 5000), await file(5000, 6000)]
    const readme = '---\nconfigs:\n- config_name: default\n  key: id\n  data_files: "*.parquet"\n---\n'
    const split = await site.onlySplit(
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
    const { configs } = await site.changed(
      { 'train.csv': 'a\n1\n', 'test.csv': 'a\n1\n2\n' },
      { 'test.csv': null, 'validation.csv': 'a\n7\n8\n9\n' },
    )
    expect(configs.map(({ name, status }) => [name, status])).toEqual([['default', 'changed']])
    expect(configs[0]?.splits).toMatchObject([
      { name: 'validation', status: 'added', added: 3, removed: 0 },
      { name: 'test', status: 'removed', added: 0, removed: 2 },
    ])
    const grown = await site.onlySplit(
      { 'train.csv': 'a\n1\n', 'test-1.csv': 'a\n2\n' },
      { 'test-2.csv': 'a\n3\n' },
    )
    expect(grown).toMatchObject({ name: 'test', status: 'changed', rows: { base: 0, head: 1 }, added: 1 })
    const bad = await site.onlySplit({ 'data.jsonl': '{"a": 1}\n' }, { 'data.jsonl': '{"a": \n' })
    expect(bad?.problem?.code).toBe('DatasetGenerationError')
    const none = await site.changed({ 'a.csv': 'a\n1\n' }, { 'a.csv': null })
    expect(none).toMatchObject({ configs: [], problem: { code: 'EmptyDatasetError' } })
    expect(await site.changed({ 'a.csv': 'a\n1\n' }, { 'notes.log': 'x' })).toEqual({
      configs: [],
      truncated: false,
    })
  })

  test('what the limits of the viewer do not let a server read whole is counted alone', async () => {
    const before = { 'a.csv': 'a\n1\n2\n3\n' }
    const after = { 'a.csv': 'a\n1\n2\n3\n4\n' }
    expect(await site.onlySplit(before, after, { max_scan_rows: 3 })).toEqual({
      name: 'train',
      status: 'changed',
      files: { base: 1, head: 1 },
      rows: { base: 3, head: 4 },
      note: 'too_many_rows',
      samples: [],
    })
    expect(await site.onlySplit(before, after, { max_convert_bytes: 6 })).toMatchObject({ note: 'partial' })
    expect(await site.changed(before, after, { enabled: false })).toMatchObject({
      problem: { code: 'NotSupportedDisabledViewerError' },
    })
  })

  test('large files are compared by a job, whose result answers callers who may read the files', async () => {
    const line = (n: number) => JSON.stringify({ id: n, text: 'x'.repeat(1000) })
    const text = (from: number, to: number) =>
      `${Array.from({ length: to - from }, (_, i) => line(from + i)).join('\n')}\n`
    const { repo, base, head } = await site.given(
      { 'data.jsonl': text(0, 5000) },
      { 'data.jsonl': text(10, 5005) },
    )
    const asked = { base, head }
    expect(await getDataChanges(world.ctx(site.owner), repo, asked)).toMatchObject({ changes: undefined })
    const job = await queueDataChanges(world.ctx(site.owner), repo, asked)
    expect((await queueDataChanges(world.ctx(site.owner), repo, asked)).id).toBe(job.id)
    const deps: Deps = world.deps
    await runJobs(deps, [datasetCompare])
    const { changes, bytes } = await getDataChanges(world.ctx(site.owner), repo, { base, head: 'main' })
    expect(bytes).toBeGreaterThan(9_000_000)
    expect(changes?.configs[0]?.splits[0]).toMatchObject({ added: 5, removed: 10, compared_by: 'row' })
    const stranger = await givenUser(world, 'stranger')
    await expect(getDataChanges(world.ctx(stranger), repo, asked)).rejects.toMatchObject({
      code: 'repo-not-found',
    })
  })
})
