import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { oneDatabase } from '../../../testing.ts'
import { ChangeSite } from './testing.ts'

const card = (key: string, more = '') =>
  `---\nconfigs:\n- config_name: default\n  key: ${key}\n  data_files: "*.csv"\n${more}---\n`

oneDatabase('rows that a commit changes', (world) => {
  const site = new ChangeSite(world)

  test('rows are matched by the key that the card declares, with samples of each change', async () => {
    const split = await site.onlySplit(
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
    const split = await site.onlySplit(
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
    const split = await site.onlySplit(
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
    const split = await site.onlySplit(
      { 'README.md': readme, 'a.csv': before },
      { 'a.csv': `${before}3,z\n` },
    )
    expect(split).toMatchObject({ note, compared_by: 'row', added: 1, removed: 0 })
  })

  test('columns that come, go or change their type are listed, and rows are compared by the others', async () => {
    const { configs } = await site.changed(
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
})
