import { tableFromArrays, tableToIPC, type Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { ViewerFirstRows } from '../../../../shared/viewer.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { appOf, eachStore, givenRepo, givenToken, givenUser, testConfig } from '../../../testing.ts'
import { commit } from '../../content/index.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { readDataset } from '../facts.ts'
import { answerViewer } from '../viewer/answer.ts'
import { mountFileRows } from '../viewer/handlers.ts'
import { datasetConvert } from './job.ts'

const BATCH_ROWS = 65_536

/** Numbers that count from zero, 512 KiB in a batch. */
const counted = (batches: number): Table =>
  Array.from({ length: batches }, (_, k) =>
    tableFromArrays({ n: Float64Array.from({ length: BATCH_ROWS }, (_none, i) => k * BATCH_ROWS + i) }),
  ).reduce((all, one) => all.concat(one))

eachStore('Arrow files in a store', (world) => {
  let made = 0
  async function given(table: Table, form: 'file' | 'stream') {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner, { type: 'dataset' })
    const { bytes, sha256, sizeBytes } = contentOf(Buffer.from(tableToIPC(table, form)))
    const object = { sha256, sizeBytes }
    await storeObject(world.ctx(owner), { repoId: repo.id, userId: owner.id }, object, fromChunks(bytes))
    const operations = [{ op: 'add-lfs' as const, path: 'data.arrow', ...object }]
    await commit(world.ctx(owner), repo, { title: 'Add data', operations, via: 'api' })
    const { secret } = await givenToken(world, owner)
    const app = appOf(world, { native: [mountFileRows] })
    const place = `${repo.ns}/${repo.name}`
    return {
      repo,
      ask: async <Body = ViewerFirstRows>(endpoint: string, more: Record<string, string> = {}) => {
        const params = { dataset: place, config: 'default', split: 'train', ...more }
        const { body } = await answerViewer(
          world.ctx(owner),
          endpoint,
          (name) => Object.entries(params).find(([key]) => key === name)?.[1],
        )
        return JSON.parse(body) as Body
      },
      fileRows: async (more: string) => {
        const path = `/api/service/v1/repos/datasets/${place}/files/main/data.arrow/rows?${more}`
        const answer = await app.request(path, { headers: { Authorization: `Bearer ${secret}` } })
        return (await answer.json()) as { rows: { row: unknown }[]; truncated: boolean; num_rows?: number }
      },
    }
  }

  test('are converted and shown', async () => {
    const { repo, ask, fileRows } = await given(counted(2), 'file')
    await runJobs(world.deps, [datasetConvert])
    const [config] = (await readDataset(world.db, repo.id))?.configs ?? []
    expect(config).toMatchObject({ builder: 'arrow', status: 'ready', problem: null })
    expect(config?.splits[0]).toMatchObject({ rows: 2 * BATCH_ROWS, is_partial: false })
    const { features, rows } = await ask('first-rows')
    expect(features.map(({ name, type }) => [name, type])).toEqual([
      ['n', { dtype: 'float64', _type: 'Value' }],
    ])
    expect(rows.slice(0, 2).map(({ row }) => row)).toEqual([{ n: 0 }, { n: 1 }])
    const last = await ask('rows', { offset: String(2 * BATCH_ROWS - 1) })
    expect(last.rows.map(({ row }) => row)).toEqual([{ n: 2 * BATCH_ROWS - 1 }])
    expect(await fileRows(`offset=${BATCH_ROWS}&length=1`)).toMatchObject({
      rows: [{ row: { n: BATCH_ROWS } }],
      num_rows: 2 * BATCH_ROWS,
    })
  })

  test('that are long are read in their beginning alone', async () => {
    const { repo, ask, fileRows } = await given(counted(40), 'stream')
    const config = testConfig(world.dir, { viewer: { max_convert_bytes: 2 * 1024 * 1024 } })
    const shown = await fileRows('length=1')
    expect(shown).toMatchObject({ rows: [{ row: { n: 0 } }], truncated: true })
    expect(shown.num_rows).toBeUndefined()
    await runJobs({ ...world.deps, config }, [datasetConvert])
    const [split] = (await readDataset(world.db, repo.id))?.configs[0]?.splits ?? []
    expect(split).toMatchObject({ status: 'partial', is_partial: true, problem: null })
    const rows = split?.rows ?? 0
    expect(rows).toBeGreaterThanOrEqual(BATCH_ROWS)
    expect(rows % BATCH_ROWS).toBe(0)
    expect(rows).toBeLessThan(40 * BATCH_ROWS)
    expect((await ask('rows', { offset: String(rows - 1) })).rows.map(({ row }) => row)).toEqual([
      { n: rows - 1 },
    ])
  })
})
