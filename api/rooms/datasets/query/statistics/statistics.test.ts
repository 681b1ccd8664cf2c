import { expect, test } from 'vitest'
import { buildApp } from '../../../../app/app.ts'
import type { NamedFeature, ViewerStatistics } from '../../../../../shared/viewer.ts'
import { eachDatabase, givenToken, givenUser } from '../../../../testing.ts'
import { givenExport, parquetOf } from '../../viewer/testing.ts'

eachDatabase('statistics', (world) => {
  let made = 0
  async function given(select: string[], features?: NamedFeature[]) {
    const owner = await givenUser(world, `owner${++made}`)
    const files = await Promise.all(select.map((one) => parquetOf(one)))
    const repo = await givenExport(world, owner, [{ files, ...(features ? { features } : {}) }])
    const { secret } = await givenToken(world, owner)
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    return async function ask(): Promise<{
      status: number
      code: string | null
      text: string
      body: ViewerStatistics
    }> {
      const address = `/viewer-api/statistics?dataset=${repo.ns}/${repo.name}&config=default&split=train`
      const answer = await app.request(address, { headers: { Authorization: `Bearer ${secret}` } })
      const text = await answer.text()
      // As clients do, which ask until there is an answer.
      if (answer.headers.get('x-error-code') === 'ResponseNotReady') return ask()
      return {
        status: answer.status,
        code: answer.headers.get('x-error-code'),
        text,
        body: JSON.parse(text) as ViewerStatistics,
      }
    }
  }

  test('are of each type as the public viewer makes them', async () => {
    const part = (from: number, to: number) => `SELECT
      range AS int, CASE WHEN range = 3 THEN NULL ELSE range / 4 END::DOUBLE AS float, range % 2 = 0 AS bool,
      CASE range % 4 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 THEN 'c' END AS word,
      'text ' || repeat('x', (range % 15)::INT) || range AS text, range(range % 3) AS list,
      range % 3 - 1 AS label, timestamp '2024-01-01' + to_days(range::INT) AS at,
      strftime(date '2024-01-01' + range::INT, '%Y-%m-%d') AS day, NULL::INT AS none, 7 AS same, 'x'::BLOB AS raw,
      {'a': 1} AS struct, 9007199254740993 + range AS big FROM range(${from}, ${to})`
    const value = (dtype: string) => ({ _type: 'Value', dtype }) as const
    const features: NamedFeature[] = [
      { name: 'int', type: value('int64') },
      { name: 'float', type: value('float64') },
      { name: 'bool', type: value('bool') },
      { name: 'word', type: value('string') },
      { name: 'text', type: value('string') },
      { name: 'list', type: { _type: 'List', feature: value('int64') } },
      { name: 'label', type: { _type: 'ClassLabel', names: ['no', 'yes', 'never'] } },
      { name: 'at', type: value('timestamp[us]') },
      { name: 'day', type: value('string') },
      { name: 'none', type: value('int32') },
      { name: 'same', type: value('int32') },
      { name: 'raw', type: value('binary') },
      { name: 'struct', type: { a: value('int32') } },
      { name: 'big', type: value('int64') },
    ]
    const ask = await given([part(0, 60), part(60, 100)], features)
    const { status, body, text } = await ask()
    expect(status).toBe(200)
    expect([body.num_examples, body.partial]).toEqual([100, false])
    const of = Object.fromEntries(body.statistics.map((each) => [each.column_name, each]))
    expect(Object.keys(of)).toEqual([
      'at',
      'big',
      'bool',
      'day',
      'float',
      'int',
      'label',
      'list',
      'none',
      'same',
      'text',
      'word',
    ])
    expect(of['int']).toEqual({
      column_name: 'int',
      column_type: 'int',
      column_statistics: {
        nan_count: 0,
        nan_proportion: 0,
        min: 0,
        max: 99,
        mean: 49.5,
        median: 49.5,
        std: 29.01149,
        histogram: { hist: Array(10).fill(10), bin_edges: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 99] },
      },
    })
    expect(of['float']).toMatchObject({
      column_type: 'float',
      column_statistics: { nan_count: 1, nan_proportion: 0.01, min: 0, max: 24.75, mean: 12.49242 },
    })
    expect(of['float']?.column_statistics.histogram?.bin_edges[1]).toBe(2.475)
    expect(of['bool']?.column_statistics).toEqual({
      nan_count: 0,
      nan_proportion: 0,
      frequencies: { True: 50, False: 50 },
    })
    expect(of['word']).toMatchObject({
      column_type: 'string_label',
      column_statistics: {
        nan_count: 25,
        n_unique: 3,
        frequencies: { a: 25, b: 25, c: 25 },
        no_label_count: 0,
      },
    })
    expect(of['text']).toMatchObject({ column_type: 'string_text', column_statistics: { min: 6, max: 21 } })
    expect(of['list']).toMatchObject({
      column_type: 'list',
      column_statistics: { min: 0, max: 2, histogram: { hist: [34, 66], bin_edges: [0, 1, 2] } },
    })
    expect(of['label']?.column_statistics).toEqual({
      nan_count: 0,
      nan_proportion: 0,
      no_label_count: 34,
      no_label_proportion: 0.34,
      n_unique: 3,
      frequencies: { no: 33, yes: 33, never: 0 },
    })
    expect(of['at']).toMatchObject({
      column_type: 'datetime',
      column_statistics: {
        min: '2024-01-01 00:00:00',
        max: '2024-04-09 00:00:00',
        mean: '2024-02-19 12:00:00',
        std: '29 days, 0:16:32.906720',
      },
    })
    expect(of['day']?.column_type).toBe('datetime')
    expect(of['none']?.column_statistics).toEqual({
      nan_count: 100,
      nan_proportion: 1,
      min: null,
      max: null,
      mean: null,
      median: null,
      std: null,
      histogram: null,
    })
    expect(of['same']?.column_statistics.histogram).toEqual({ hist: [100], bin_edges: [7, 7] })
    expect(text).toContain('"min":9007199254740993')
    expect((await ask()).text).toBe(text)
  })

  test('of images are those of their widths, of sounds those of their seconds', async () => {
    const blob = (bytes: Buffer) =>
      `'${[...bytes].map((b) => `\\x${b.toString(16).padStart(2, '0')}`).join('')}'::BLOB`
    const png = (width: number) => {
      const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
      const size = Buffer.alloc(17)
      size.writeUInt32BE(width, 0)
      size.writeUInt32BE(7, 4)
      return Buffer.concat([head, size])
    }
    const wav = (frames: number) => {
      const head = Buffer.alloc(44)
      head.write('RIFF', 0)
      head.write('WAVEfmt ', 8)
      head.writeUInt32LE(16, 16)
      head.writeUInt32LE(8000, 24)
      head.writeUInt16LE(2, 32)
      head.write('data', 36)
      head.writeUInt32LE(frames * 2, 40)
      return Buffer.concat([head, Buffer.alloc(frames * 2)])
    }
    const row = (i: number) =>
      `SELECT {'bytes': ${blob(png(10 + i))}, 'path': 'x'} AS image, {'bytes': ${blob(wav(800 * (i + 1)))}, 'path': NULL} AS audio, ${i} AS n`
    const rows = Array.from({ length: 20 }, (_, i) => row(i))
    const broken = `SELECT {'bytes': ${blob(Buffer.from('no picture at all'))}, 'path': 'x'}, NULL, 20`
    const outside = `{'bytes': NULL::BLOB, 'path': 'hf://datasets/x/y@1/z.png'} AS outside`
    const features: NamedFeature[] = [
      { name: 'image', type: { _type: 'Image' } },
      { name: 'audio', type: { _type: 'Audio' } },
      { name: 'n', type: { _type: 'Value', dtype: 'int32' } },
      { name: 'outside', type: { _type: 'Image' } },
    ]
    const ask = await given(
      [`SELECT *, ${outside} FROM (${[...rows, broken].join(' UNION ALL ')})`],
      features,
    )
    const { body, status } = await ask()
    expect([status, body.partial]).toEqual([200, false])
    expect(body.statistics.map(({ column_name: name }) => name)).toEqual(['audio', 'image', 'n'])
    const [audio, image] = body.statistics
    expect(image).toEqual({
      column_name: 'image',
      column_type: 'image',
      column_statistics: {
        nan_count: 1,
        nan_proportion: 0.04762,
        min: 10,
        max: 29,
        mean: 19.5,
        median: 19.5,
        std: 5.91608,
        histogram: {
          hist: Array(10).fill(2),
          bin_edges: [10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 29],
        },
      },
    })
    expect(audio).toMatchObject({
      column_type: 'audio',
      column_statistics: {
        nan_count: 1,
        min: 0.1,
        max: 2,
        mean: 1.05,
        histogram: { hist: Array(10).fill(2) },
      },
    })
  })

  test('of a split whose bytes are damaged behind a sound footer say why there are none', async () => {
    const file = await parquetOf(`SELECT range AS id, 'text ' || range AS text FROM range(1000)`)
    for (let i = 20; i < file.length - 1200; i++) file[i] = (i * 7919) & 0xff
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenExport(world, owner, [{ files: [file] }])
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const { secret } = await givenToken(world, owner)
    const address = `/viewer-api/statistics?dataset=${repo.ns}/${repo.name}&config=default&split=train`
    const ask = async (): Promise<Response> => {
      const answer = await app.request(address, { headers: { Authorization: `Bearer ${secret}` } })
      return answer.headers.get('x-error-code') === 'ResponseNotReady' ? ask() : answer
    }
    const answer = await ask()
    const { error } = (await answer.json()) as { error: string }
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([500, 'ComputationError'])
    expect(answer.headers.get('x-revision')).toMatch(/^[0-9a-f]{40}$/)
    expect(error).toMatch(/^The statistics could not be made: ./)
  })

  test('of columns that have none are refused', async () => {
    const ask = await given([`SELECT {'a': 1} AS struct`])
    expect(await ask()).toMatchObject({ status: 501, code: 'NoSupportedFeaturesError' })
  })
})
