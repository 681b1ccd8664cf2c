import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { Execution } from '../../../core/jobs/execution.ts'
import { claimed, jobRow, runJobs } from '../../../core/jobs/testing.ts'
import { eachStore, givenToken, givenUser, type World } from '../../../testing.ts'
import { parquetColumns } from '../features/parquet.ts'
import { givenExport, parquetOf, type GivenSplit } from '../viewer/testing.ts'
import { datasetExport } from './job.ts'

interface JobAnswer {
  id: string
  status: string
  problem?: { code: string; message: string }
  progress: { done: number; total: number; unit: string }
  result?: { url: string; size: number; rows: number; partial: boolean }
}

eachStore('downloads as Parquet', (world) => {
  let made = 0
  const people = async () => {
    const file = (from: number, to: number) =>
      parquetOf(
        `SELECT range AS id, 'Name ' || (range % 100) AS name, range % 10 AS "the "" class",
          CASE WHEN range % 7 = 0 THEN NULL ELSE -range END AS score FROM range(${from}, ${to})`,
      )
    return [await file(0, 8000), await file(8000, 12_000)]
  }

  async function given(splits: GivenSplit[], viewer: Partial<World['deps']['config']['viewer']> = {}) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenExport(world, owner, splits)
    const { secret } = await givenToken(world, owner)
    const { config } = world.deps
    const deps = { ...world.deps, config: { ...config, viewer: { ...config.viewer, ...viewer } } }
    const app = buildApp(deps, { state: 'ready', check: async () => undefined })
    const request = (path: string, init: RequestInit & { bearer?: string } = {}) =>
      app.request(path, {
        ...init,
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${init.bearer ?? secret}` },
      })
    const place = { config: 'default', split: 'train' }
    const small = async (params: Record<string, string>, columns: string[] = []) => {
      const query = new URLSearchParams({ dataset: `${repo.ns}/${repo.name}`, ...place, ...params })
      for (const column of columns) query.append('column', column)
      // A bucket's files are copied for the first query.
      let answer = await request(`/viewer-api/download?${query}`)
      for (let i = 0; i < 20 && answer.headers.get('x-error-code') === 'ResponseNotReady'; i++)
        answer = await request(`/viewer-api/download?${query}`)
      return answer
    }
    const ask = (body: object) =>
      request(`${nativeBase}/repos/datasets/${repo.ns}/${repo.name}/exports`, {
        method: 'POST',
        body: JSON.stringify({ ...place, ...body }),
      })
    const jobOf = async (id: string) =>
      (await (await request(`${nativeBase}/jobs/${id}`)).json()) as JobAnswer
    const finished = async (body: object): Promise<JobAnswer> => {
      const queued = await ask(body)
      expect(queued.status).toBe(202)
      const { id } = (await queued.json()) as JobAnswer
      await runJobs(deps, [datasetExport])
      return jobOf(id)
    }
    return { repo, deps, request, small, ask, finished }
  }

  async function rowsOf(answer: Response) {
    if (answer.status !== 200) expect.fail(await answer.text())
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.apache.parquet',
    ])
    const file = await answer.arrayBuffer()
    const metadata = parquetMetadata(file)
    const rows = await parquetReadObjects({ file, compressors })
    return { rows, features: parquetColumns(metadata).features }
  }

  test('a small answer is a file at once: filtered, sorted, searched, with the columns that are shown', async () => {
    const label = { name: 'the " class', type: { _type: 'ClassLabel' as const, names: [...'abcdefghij'] } }
    const files = await people()
    const int = { _type: 'Value', dtype: 'int64' } as const
    const { small, repo, deps } = await given([
      {
        files,
        features: [
          { name: 'id', type: int },
          { name: 'name', type: { _type: 'Value', dtype: 'string' } },
          label,
          { name: 'score', type: int },
        ],
      },
    ])
    const where = `id >= 7998 AND id < 8003 AND "the "" class" = 'b'`
    const found = await small({ where })
    expect(found.headers.get('content-disposition')).toBe(
      `attachment; filename="${repo.name}-default-train.parquet"`,
    )
    const { rows, features } = await rowsOf(found)
    expect(rows).toEqual([{ id: 8001n, name: 'Name 1', 'the " class': 1n, score: null }])
    expect(features[2]).toEqual(label)
    const sorted = await rowsOf(
      await small({ where: 'id < 3 OR id > 11998', orderby: 'score desc' }, ['score', 'id']),
    )
    expect(sorted.rows).toEqual([
      { score: -1n, id: 1n },
      { score: -2n, id: 2n },
      { score: -11_999n, id: 11_999n },
      { score: null, id: 0n },
    ])
    expect(Object.keys(sorted.rows[0] ?? {})).toEqual(['score', 'id'])
    const searched = await rowsOf(await small({ query: 'NAME 77' }, ['id']))
    expect(searched.rows).toHaveLength(120)
    expect(searched.rows.at(-1)).toEqual({ id: 11_977n })
    expect(await readdir(join(deps.config.server.data_dir, 'viewer', 'download'))).toEqual([])
  })

  test('what is too large for one answer, or cannot be read, is refused with its reason', async () => {
    const { small } = await given([{ files: await people() }])
    const refusal = async (answer: Promise<Response>) => {
      const found = await answer
      return [found.headers.get('x-error-code'), ((await found.json()) as { error: string }).error]
    }
    expect(await refusal(small({}))).toEqual([
      'TooBigContentError',
      expect.stringContaining('Have a job write the file'),
    ])
    expect((await rowsOf(await small({ where: 'id < 10000' }))).rows).toHaveLength(10_000)
    for (const [params, columns, reason] of [
      [{ where: 'nothing = 1' }, [], 'nothing'],
      [{ where: 'id = 1', query: 'x' }, [], 'cannot be combined'],
      [{}, ['other'], 'There is no column "other"'],
      [{}, ['id', 'id'], 'each column once'],
    ] as const)
      expect(await refusal(small({ ...params }, [...columns]))).toEqual([
        'InvalidParameter',
        expect.stringContaining(reason),
      ])
  })

  test('a job writes any number of rows, and its link ends', async () => {
    const { finished, request, repo } = await given([{ files: await people() }], { max_scan_rows: 100 })
    const job = await finished({ where: 'id >= 100', orderby: 'id desc', columns: ['id'] })
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: { done: 12_000, total: 12_000, unit: 'rows' },
      result: { rows: 11_900, partial: false },
    })
    const { pathname, search } = new URL(job.result?.url ?? '')
    const { rows } = await rowsOf(await request(pathname + search))
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([11_900, { id: 11_999n }, { id: 100n }])
    const stranger = await givenUser(world, `stranger${made}`)
    const { secret: bearer } = await givenToken(world, stranger)
    expect((await request(pathname + search, { bearer })).status).toBe(404)
    expect(
      (
        await request(`${nativeBase}/repos/datasets/${repo.ns}/${repo.name}/exports`, {
          bearer,
          method: 'POST',
          body: '{"config":"default","split":"train"}',
        })
      ).status,
    ).toBe(404)
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 16 * 60_000)
    expect((await request(pathname + search)).status).toBe(403)
    world.clock.now = before
  })

  test('a job is refused before it is queued where the fault is plain, and fails with its reason else', async () => {
    const { ask, request, deps, repo } = await given([{ files: await people() }])
    const plain = [{ where: 'nothing = 1' }, { split: 'none' }, { query: 'x', where: 'id = 1' }]
    for (const body of [...plain, { columns: ['other'] }, { columns: ['id', 'id'] }, { query: 'a\0b' }])
      expect((await ask(body)).status).toBe(422)
    const { id } = (await (await ask({ columns: ['id'] })).json()) as JobAnswer
    // The dataset is converted again meanwhile.
    const { dataset_configs: c } = world.db.t
    const features = [{ name: 'other', type: { _type: 'Value', dtype: 'int64' } as const }]
    await world.db.write(({ q }) => q.update(c).set({ features }).where(eq(c.repo_id, repo.id)))
    await runJobs(deps, [datasetExport])
    const failed = (await (await request(`${nativeBase}/jobs/${id}`)).json()) as JobAnswer
    expect(failed).toMatchObject({
      status: 'failed',
      problem: { message: expect.stringContaining('There is no column "id"') as unknown },
    })
    expect(await readdir(join(deps.config.server.data_dir, 'viewer', 'download'))).toEqual([])
  })

  test.each(['cancelled', 'lease-lost'] as const)('one that is %s leaves no file', async (why) => {
    const { ask, deps } = await given([{ files: await people() }])
    const { id } = (await (await ask({})).json()) as JobAnswer
    const job = (await claimed(deps, datasetExport)) ?? expect.fail('no job')
    const put = deps.blobs.put.bind(deps.blobs)
    const blobs = new Proxy(deps.blobs, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name, store)
        if (name !== 'put') return typeof value === 'function' ? (value.bind(store) as unknown) : value
        return (...args: Parameters<typeof put>) => {
          execution.interrupt(why)
          return put(...args)
        }
      },
    })
    const execution: Execution = new Execution(
      { ...deps, blobs },
      datasetExport,
      job,
      async () => world.clock.now,
    )
    await execution.run()
    expect((await jobRow(world.db, id)).status).toBe(why === 'cancelled' ? 'cancelled' : 'running')
    expect(await readdir(join(deps.config.server.data_dir, 'viewer', 'download'))).toEqual([])
  })
})
