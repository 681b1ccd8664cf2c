import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { readDataset } from '../facts.ts'
import { givenExport, parquetOf } from '../viewer/testing.ts'
import { describeCroissant } from './describe.ts'

interface Document {
  license?: string
  distribution: { '@id': string; includes?: string; contentUrl?: string }[]
  recordSet: { '@id': string; description: string; data?: object[]; field: Record<string, unknown>[] }[]
}

eachDatabase('the description of a dataset', (world) => {
  let owner: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
  })

  test('names the files, the splits and the columns of each config', async () => {
    const file = await parquetOf(
      "SELECT 1::INT AS id, {'many': [1.5::DOUBLE], 'a b': 'x'} AS s, [[1::BIGINT]] AS l, DATE '2020-01-01' AS d, 1.5::DECIMAL(5, 2) AS m",
    )
    const repo = await givenExport(world, owner, [
      { config: 'en', split: 'train', files: [file] },
      { config: 'en', split: 'test', files: [file], isPartial: true },
    ])
    const dataset = (await readDataset(world.db, repo.id)) ?? expect.fail('no dataset')
    const found = (await describeCroissant(world.ctx(owner), repo, dataset)) as Document
    expect(found.distribution.map((one) => one.includes ?? one.contentUrl)).toEqual([
      `${world.ctx().config.server.public_url}/datasets/${repo.ns}/${repo.name}/tree/refs%2Fconvert%2Fparquet`,
      'en/*/*.parquet',
    ])
    const [splits, rows] = found.recordSet
    expect(splits?.data).toEqual([{ 'en_splits/split_name': 'train' }, { 'en_splits/split_name': 'test' }])
    expect(rows?.description).toContain('without the columns m')
    const source = (path: object) => ({
      fileSet: { '@id': 'parquet-files-for-config-en' },
      extract: { column: 's' },
      transform: path,
    })
    expect(rows?.field.slice(1)).toMatchObject([
      { '@id': 'en/id', dataType: 'cr:Int32' },
      {
        '@id': 'en/s',
        subField: [
          { '@id': 'en/s/many', isArray: true, arrayShape: '-1', source: source({ jsonPath: 'many' }) },
          { '@id': 'en/s/a_b', dataType: 'sc:Text', source: source({ jsonPath: "['a b']" }) },
        ],
      },
      { '@id': 'en/l', dataType: 'cr:Int64', isArray: true, arrayShape: '-1,-1' },
      { '@id': 'en/d', dataType: 'sc:Date' },
    ])
  })
})
