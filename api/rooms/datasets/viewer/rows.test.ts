import { expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import type { NamedFeature, ViewerFirstRows, ViewerPage } from '../../../../shared/viewer.ts'
import { eachDatabase, eachStore, givenToken, givenUser, type World } from '../../../testing.ts'
import { givenExport, parquetOf, type GivenSplit } from './testing.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR4nGNgQAcAABIAAeRmRZ0AAAAASUVORK5CYII=',
  'base64',
)

/** Asks the viewer of a whole server as the owner of a dataset. */
function viewerOf(world: World) {
  let made = 0
  async function given(splits: GivenSplit[], change = (config: World['deps']['config']) => config) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenExport(world, owner, splits)
    const { secret } = await givenToken(world, owner)
    const deps = { ...world.deps, config: change(world.deps.config) }
    const app = buildApp(deps, { state: 'ready', check: async () => undefined })
    const request = (path: string, headers: Record<string, string> = {}) =>
      app.request(path, { headers: { Authorization: `Bearer ${secret}`, ...headers } })
    const ask = async <Body = ViewerPage>(endpoint: string, more = '') => {
      const answer = await request(`/viewer-api/${endpoint}?dataset=${repo.ns}/${repo.name}${more}`)
      const text = await answer.text()
      const header = (name: string) => answer.headers.get(name)
      return { status: answer.status, code: header('x-error-code'), text, body: JSON.parse(text) as Body }
    }
    return { owner, repo, ask, request, app }
  }
  return { given }
}

const train = '&config=default&split=train'

eachDatabase('rows of the viewer', (world) => {
  const { given } = viewerOf(world)

  test('are those of the split, with every digit of long integers', async () => {
    const file = (from: number, to: number) =>
      parquetOf(
        `SELECT range AS id, 9007199254740993::BIGINT + range AS big, 'row ' || range AS text FROM range(${from}, ${to})`,
      )
    const { ask } = await given([{ files: [await file(0, 3000), await file(3000, 5000)] }])
    const { text, body } = await ask('rows', `${train}&offset=2999&length=2`)
    expect(text).toContain(
      '{"row_idx":2999,"row":{"id":2999,"big":9007199254743992,"text":"row 2999"},"truncated_cells":[]}',
    )
    expect(text).toContain('"row_idx":3000,"row":{"id":3000,')
    expect(body).toMatchObject({ num_rows_total: 5000, num_rows_per_page: 100, partial: false })
    expect(body.features[1]).toEqual({
      feature_idx: 1,
      name: 'big',
      type: { dtype: 'int64', _type: 'Value' },
    })
    expect((await ask('rows', `${train}&offset=4950`)).body.rows).toHaveLength(50)
    expect((await ask('rows', `${train}&offset=5000`)).body.rows).toEqual([])
    expect((await ask('rows', `${train}&length=0`)).body.rows).toEqual([])
  })

  test('write every type as the public viewer does', async () => {
    const select = `SELECT
      123456789012345.67::DECIMAL(20,2) AS dec, 0.05::DECIMAL(4,2) AS small, -1.5::DECIMAL(30,3) AS neg,
      timestamp '2016-07-01 00:00:00' AS ts, timestamp '1969-12-31 23:59:59.000001' AS us,
      timestamptz '2016-07-01 12:00:00+00' AS tz, '2016-07-01 01:02:03.000000004'::TIMESTAMP_NS AS ns,
      date '0999-01-02' AS day, time '10:20:30.5' AS clock,
      'NaN'::DOUBLE AS nan, '-Infinity'::DOUBLE AS inf, 0.1::FLOAT AS f32, 1e300 AS f64, true AS yes,
      '\\x00\\xFF'::BLOB AS raw, 18446744073709551615::UBIGINT AS u64, 4294967295::UINTEGER AS u32, '-128'::TINYINT AS i8,
      '{"a": 12345678901234567890, "b": [1, {}]}'::JSON AS json, 'not "plain" \\u2028 é' AS text,
      [1, NULL, 3] AS list, [[1], [], NULL, [2, 3]] AS nested, []::INT[] AS empty,
      {'a': 1, 'b': {'c': ['x', NULL]}} AS struct, [{'k': 1, 'v': 'x'}, NULL] AS structs,
      NULL::INT AS missing, NULL::STRUCT(a INT) AS gone, uuid '00112233-4455-6677-8899-aabbccddeeff' AS uuid,
      MAP {'k': 1} AS map, INTERVAL 1 DAY AS span`
    const { ask } = await given([{ files: [await parquetOf(select)] }])
    const { text } = await ask('rows', train)
    expect(text.slice(text.indexOf('"row":'), text.indexOf(',"truncated_cells"'))).toBe(
      '"row":{"dec":"123456789012345.67","small":"0.05","neg":"-1.500","ts":"2016-07-01T00:00:00",' +
        '"us":"1969-12-31T23:59:59.000001","tz":"2016-07-01T12:00:00Z","ns":"2016-07-01T01:02:03.000000004",' +
        '"day":"0999-01-02","clock":"10:20:30.500000","nan":null,"inf":null,"f32":0.10000000149011612,"f64":1e+300,' +
        '"yes":true,"raw":"AP8=","u64":18446744073709551615,"u32":4294967295,"i8":-128,' +
        '"json":{"a": 12345678901234567890, "b": [1, {}]},"text":"not \\"plain\\" \\\\u2028 é",' +
        '"list":[1,null,3],"nested":[[1],[],null,[2,3]],"empty":[],"struct":{"a":1,"b":{"c":["x",null]}},' +
        '"structs":[{"k":1,"v":"x"},null],"missing":null,"gone":null,"uuid":"00112233-4455-6677-8899-aabbccddeeff",' +
        '"map":"{\\"key_value\\":[{\\"key\\":\\"k\\",\\"value\\":1}]}","span":"0 months 1 days 0 ms"}',
    )
  })

  test('cut long cells at a character, and say which', async () => {
    const { ask } = await given(
      [{ files: [await parquetOf(`SELECT repeat('é', 100) AS long, 'x' AS short`)] }],
      (config) => ({ ...config, viewer: { ...config.viewer, max_cell_bytes: 52 } }),
    )
    const { body } = await ask('rows', train)
    expect(body.rows[0]).toEqual({
      row_idx: 0,
      row: { long: `"${'é'.repeat(25)}`, short: 'x' },
      truncated_cells: ['long'],
    })
  })

  test('of images have signed addresses, which show the picture and nothing that runs', async () => {
    const hex = (bytes: Buffer) =>
      `'${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'::BLOB`
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const features: NamedFeature[] = [
      { name: 'image', type: { _type: 'Image' } },
      { name: 'more', type: { _type: 'List', feature: { _type: 'Image' } } },
      { name: 'sound', type: { _type: 'Audio' } },
    ]
    const select = `SELECT {'bytes': ${hex(png)}, 'path': 'a.png'} AS image,
      [{'bytes': ${hex(svg)}, 'path': 'a.svg'}, NULL] AS more,
      {'bytes': NULL::BLOB, 'path': 'http://169.254.169.254/x.wav'} AS sound`
    const { ask, app } = await given([{ files: [await parquetOf(select)], features }])
    const { body } = await ask('rows', train)
    const row = body.rows[0]?.row as { image: { src: string }; more: [{ src: string }, null]; sound: null }
    expect(row).toEqual({
      image: {
        src: expect.stringContaining('/default/train/0/image/image.png?') as unknown,
        height: 2,
        width: 3,
      },
      more: [{ src: expect.stringContaining('/more/image-1d100e9.bin?') as unknown }, null],
      sound: null,
    })
    const picture = await app.request(row.image.src)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png)
    expect(picture.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    const drawing = await app.request(row.more[0].src)
    expect([drawing.headers.get('content-type'), drawing.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      'attachment',
    ])
    expect(Buffer.from(await drawing.arrayBuffer())).toEqual(svg)
    expect((await app.request(row.image.src.replace('/0/image/', '/1/image/'))).status).toBe(404)
    world.clock.now = new Date(world.clock.now.getTime() + 3_700_000)
    expect((await app.request(row.image.src)).status).toBe(404)
  })

  test('that come first are fewer where they are long, and cut where ten of them still are', async () => {
    const { ask } = await given([
      {
        split: 'long',
        files: [await parquetOf(`SELECT range AS id, repeat('x', 50000) AS text FROM range(40)`)],
      },
      {
        split: 'longer',
        files: [await parquetOf(`SELECT range AS id, repeat('x', 101000) AS text FROM range(40)`)],
      },
    ])
    const long = await ask<ViewerFirstRows>('first-rows', '&config=default&split=long')
    expect([long.body.rows.length, long.body.truncated, long.body.rows[0]?.truncated_cells]).toEqual([
      19,
      true,
      [],
    ])
    expect(long.text.length).toBeLessThan(1_001_000)
    const longer = await ask<ViewerFirstRows>('first-rows', '&config=default&split=longer')
    expect(longer.body.rows.map(({ truncated_cells }) => truncated_cells.length)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    ])
  })

  test('that come first keep their media and columns of addresses whole', async () => {
    const picture = `'${[...png].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'::BLOB`
    const address = (share: number) =>
      `CASE WHEN range % 10 < ${share} THEN 'https://hub.test/' ELSE 'none' END || repeat('y', 9000)`
    const string = { _type: 'Value', dtype: 'string' } as const
    const features: NamedFeature[] = [
      { name: 'image', type: { _type: 'Image' } },
      ...['many', 'few', 'text'].map((name) => ({ name, type: string })),
    ]
    const select = `SELECT {'bytes': ${picture}, 'path': 'a.png'} AS image, ${address(4)} AS many, ${address(3)} AS few,
      repeat('x', 120000) AS text FROM range(10)`
    const { ask } = await given([{ files: [await parquetOf(select)], features }])
    const { body, text } = await ask<ViewerFirstRows>('first-rows', train)
    expect([body.rows.length, body.truncated]).toEqual([10, false])
    const last = body.rows.at(-1)
    expect(last?.truncated_cells).toEqual(['few', 'text'])
    expect(last?.row['image']).toMatchObject({ width: 3, height: 2 })
    expect(last?.row['many']).toHaveLength('none'.length + 9000)
    // Also of a cell that viewer.max_cell_bytes has cut already.
    expect(last?.row['text']).toBe(`"${'x'.repeat(99)}`)
    expect(text.length).toBeLessThan(1_001_000)
  })

  test('say which parameter is missing or wrong', async () => {
    const { ask } = await given([{ files: [await parquetOf('SELECT 1 AS a')] }])
    const codes = async (endpoint: string, more: string) => {
      const { status, code } = await ask(endpoint, more)
      return [status, code]
    }
    expect(await codes('rows', '')).toEqual([422, 'MissingRequiredParameter'])
    expect(await codes('rows', '&config=default&split=')).toEqual([422, 'MissingRequiredParameter'])
    for (const wrong of ['offset=-1', 'offset=1.5', 'length=101', 'length=x', 'offset=99999999999999999'])
      expect(await codes('rows', `${train}&${wrong}`)).toEqual([422, 'InvalidParameter'])
    expect(await codes('rows', '&config=none&split=train')).toEqual([404, 'ResponseNotFound'])
    expect(await codes('rows', '&config=default&split=none')).toEqual([404, 'ResponseNotFound'])
    for (const path of ['hub-cache', 'opt-in-out-urls', 'constructor', 'croissant-crumbs'])
      expect(await codes(path, '')).toEqual([404, 'ResponseNotFound'])
  })

  test('of damaged files are refused with a reason', async () => {
    const sound = await parquetOf(`SELECT range AS id, 'text ' || range AS text FROM range(1000)`)
    const lying = Buffer.from(sound)
    lying.writeUInt32LE(0x7fffffff, lying.length - 8)
    const cut = Buffer.concat([sound.subarray(0, 200), sound.subarray(sound.length - 500)])
    const noise = Buffer.from(sound)
    for (let i = 20; i < sound.length - 1200; i++) noise[i] = (i * 7919) & 0xff
    const scrambled = Buffer.from(sound)
    for (let i = sound.length - 300; i < sound.length - 8; i++) scrambled[i] = 0xff
    const features: NamedFeature[] = ['id', 'text'].map((name) => ({
      name,
      type: { _type: 'Value', dtype: 'string' },
    }))
    for (const file of [Buffer.from('short'), Buffer.alloc(5000), lying, cut, noise, scrambled]) {
      const { ask } = await given([{ files: [file], features }])
      const { status, code, text } = await ask('rows', train)
      expect([status, code]).toEqual([500, 'UnexpectedApiError'])
      expect(text).toMatch(/Parquet|damaged/)
    }
  })

  test('that take more memory than one request may are refused', async () => {
    const file = await parquetOf(`SELECT repeat('x', 100000) || range AS text FROM range(2000)`)
    const { ask } = await given([{ files: [file] }], (config) => ({
      ...config,
      viewer: { ...config.viewer, max_request_bytes: 1_000_000 },
    }))
    expect((await ask('rows', train)).code).toBe('TooBigContentError')
  })
})

eachStore('rows of the viewer from a store', (world) => {
  const { given } = viewerOf(world)

  test('in the middle of a large split take little of it', async () => {
    const file = await parquetOf(
      `SELECT range AS id, md5(range::VARCHAR) AS text, random() AS x FROM range(1000000)`,
      'ROW_GROUP_SIZE 10240, COMPRESSION zstd',
    )
    const { ask } = await given([{ files: [file] }])
    await ask('rows', `${train}&offset=100`)
    let bytes = 0
    const read = world.blobs.read.bind(world.blobs)
    world.blobs.read = async (key, range, signal) => {
      bytes += range?.length ?? file.length
      return read(key, range, signal)
    }
    try {
      const { body } = await ask('rows', `${train}&offset=500000`)
      expect(body.rows[99]?.row['id']).toBe(500_099)
    } finally {
      world.blobs.read = read
    }
    expect(file.length).toBeGreaterThan(20_000_000)
    expect(bytes).toBeLessThan(1_000_000)
  })
})
