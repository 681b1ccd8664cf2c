import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect, test } from 'vitest'
import type { NamedFeature, ViewerPage, ViewerStatistics } from '../../../../shared/viewer.ts'
import { buildApp } from '../../../app/app.ts'
import { eachStore, givenToken, givenUser } from '../../../testing.ts'
import { givenExport, parquetOf } from '../viewer/testing.ts'

const value = (dtype: string) => ({ _type: 'Value', dtype }) as const

eachStore('queries of a dataset whose card does not say what its files store', (world) => {
  const features: NamedFeature[] = [
    { name: 'id', type: value('int64') },
    { name: 'number', type: value('int64') },
    { name: 'text', type: value('string') },
    { name: 'list', type: { _type: 'List', feature: value('string') } },
    { name: 'struct', type: { a: value('string') } },
    { name: 'label', type: { _type: 'ClassLabel', names: ['no', 'yes'] } },
    { name: 'wide', type: value('float64') },
    { name: 'at', type: value('timestamp[us]') },
    { name: 'absent', type: value('string') },
    { name: 'absent_list', type: { _type: 'List', feature: value('string') } },
    { name: 'absent_struct', type: { a: value('string') } },
    { name: 'absent_label', type: { _type: 'ClassLabel', names: ['no', 'yes'] } },
  ]
  const others = ['number', 'text', 'list', 'struct', 'label', 'at']
  let made = 0

  async function given(files: Buffer[]) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenExport(world, owner, [{ files, features }])
    const { secret } = await givenToken(world, owner)
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const request = (endpoint: string, params: Record<string, string>) => {
      const place = { dataset: `${repo.ns}/${repo.name}`, config: 'default', split: 'train' }
      return app.request(`/viewer-api/${endpoint}?${new URLSearchParams({ ...place, ...params })}`, {
        headers: { Authorization: `Bearer ${secret}` },
      })
    }
    async function ask<T>(
      endpoint: string,
      params: Record<string, string> = {},
    ): Promise<{ code: string | null; body: T & { error?: string } }> {
      const answer = await request(endpoint, params)
      const code = answer.headers.get('x-error-code')
      // As clients do, which ask until there is an answer.
      if (code === 'ResponseNotReady') return ask(endpoint, params)
      return { code, body: (await answer.json()) as T & { error?: string } }
    }
    return { ask, request }
  }

  const stored = (from: number) =>
    parquetOf(`SELECT range AS id, 'n' || range AS number, range AS text, [range] AS list, {'b': 'x'} AS struct,
      'yes' AS label, range::INT AS wide, 'never' AS at FROM range(${from}, ${from + 10})`)
  const asDeclared = () =>
    parquetOf(`SELECT range AS id, range AS number, 'needle ' || range AS text, ['n'] AS list, {'a': 'x'} AS struct,
      range % 2 AS label, range / 2.0 AS wide, timestamp '2024-01-01' AS at FROM range(10)`)

  test('show other columns, and say which one has another type', async () => {
    for (const files of [
      [await stored(0), await stored(10)],
      [await asDeclared(), await stored(10)],
    ]) {
      const { ask } = await given(files)
      const ids = async (endpoint: string, params: Record<string, string>) => {
        const { code, body } = await ask<ViewerPage>(endpoint, params)
        return code ?? body.rows.map(({ row_idx }) => row_idx)
      }
      expect(await ids('filter', { where: 'id > 17' })).toEqual([18, 19])
      expect(await ids('filter', { where: 'wide >= 19', orderby: 'id desc' })).toEqual([19])
      expect(await ids('filter', { where: 'absent is null and id < 2' })).toEqual([0, 1])
      expect(
        await ids('filter', { where: `absent = 'x' or absent_struct.a like 'x' or absent_list.len() = 1` }),
      ).toEqual([])
      expect(await ids('filter', { where: `absent_label = 'yes'`, orderby: 'absent' })).toEqual([])
      expect(await ids('search', { query: 'x' })).toEqual([])
      for (const name of others) {
        for (const params of [{ where: `"${name}" is null` }, { where: `id = 1 or not ${name} is not null` }])
          expect([name, await ids('filter', params)]).toEqual([name, 'InvalidParameter'])
      }
      const { body } = await ask('filter', { orderby: 'number' })
      expect(body.error).toMatch(
        /^The column "number" is int64 to this dataset, and string in the file default\/train\/000\d\.parquet\. Correct its type in the card \(dataset_info\), or upload files that have it\.$/,
      )
    }
  })

  test('answer the cells that rows do', async () => {
    const { ask } = await given([await stored(0)])
    const all = (await ask<ViewerPage>('rows')).body
    const { code, body } = await ask<ViewerPage>('filter', { where: 'id < 100' })
    expect([code, body.rows]).toEqual([null, all.rows])
  })

  test('make statistics of the columns that are what the card says', async () => {
    const { ask } = await given([await stored(0), await stored(10)])
    const { code, body } = await ask<ViewerStatistics>('statistics')
    expect(code).toBeNull()
    expect(body.statistics.map(({ column_name }) => column_name)).toEqual([
      'absent',
      'absent_label',
      'absent_list',
      'id',
      'wide',
    ])
    const of = (name: string) => body.statistics.find(({ column_name }) => column_name === name)
    expect(of('wide')?.column_statistics).toMatchObject({ nan_count: 0, min: 0, max: 19 })
    expect(of('absent')?.column_statistics).toMatchObject({ nan_count: 20, nan_proportion: 1 })
  })

  test('write into a file what files store', async () => {
    const { ask, request } = await given([await asDeclared(), await stored(10)])
    const { body } = await ask('download', { where: 'number is null' })
    expect(body.error).toContain('The column "number" is int64')
    const file = await (await request('download', { where: 'id > 8' })).arrayBuffer()
    const columns = ['id', 'number', 'text', 'label', 'absent']
    const rows = await parquetReadObjects({ file, columns, compressors })
    expect(rows.slice(0, 3)).toEqual([
      { id: 9n, number: '9', text: 'needle 9', label: '1', absent: null },
      { id: 10n, number: 'n10', text: '10', label: 'yes', absent: null },
      { id: 11n, number: 'n11', text: '11', label: 'yes', absent: null },
    ])
  })
})
