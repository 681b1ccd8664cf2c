import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { NamedFeature } from '../../../shared/viewer.ts'
import { givenExport, parquetOf } from '../../rooms/datasets/viewer/testing.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { buildApp } from '../../app/app.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { schemaFaults, type Rules, type Schema } from './testing/schema-faults.ts'

/** The public document of the API, with its source and licence. */
const document = JSON.parse(
  readFileSync(new URL('./testing/public-openapi.json', import.meta.url), 'utf8'),
) as { components: { schemas: Record<string, Schema>; headers: Record<string, { schema: Schema }> } }
const { schemas, headers } = document.components

/** Values that the document writes as placeholders: `timestamp[(s|ms|us|ns)]`, `float32 (alias float)`. */
const dtypes = [
  /^(null|bool|u?int(8|16|32|64)|float(16|32|64)|date(32|64)|(large_)?(binary|string))$/,
  /^time32\[(s|ms)\]$/,
  /^time64\[(us|ns)\]$/,
  /^timestamp\[(s|ms|us|ns)(, tz=.+)?\]$/,
  /^duration\[(s|ms|us|ns)\]$/,
  /^decimal(128|256)\(\d+, -?\d+\)$/,
]
const anyOf = (name: string, value: unknown) =>
  (schemas[name]?.oneOf ?? []).some((one) => schemaFaults(value, one, rules).length === 0)

/** Where real servers differ from the document, and so do we. */
const deviations: Record<string, (value: unknown) => boolean> = {
  // An integer is a number too, and an object with `_type` is also a dict of strings: several branches fit.
  Feature: (value) => anyOf('Feature', value),
  JsonCell: (value) => anyOf('JsonCell', value),
  SequenceCell: (value) => anyOf('SequenceCell', value),
  ValueCell: (value) => value === null || ['boolean', 'number', 'string'].includes(typeof value),
  // `nullable` is a keyword of 3.0, so the null that any cell can be has no branch; PDF files have no thumbnail here, and
  // pictures no size where their file does not tell one.
  Cell: (value) => value === null || anyOf('Cell', withoutNulls(value)),
  ValueFeature: (value) => {
    const { _type, dtype } = value as { _type?: unknown; dtype?: unknown }
    return _type === 'Value' && dtypes.some((pattern) => pattern.test(String(dtype)))
  },
  // Its members are features, but `_type` names another kind.
  DictFeature: (value) => {
    const isStruct =
      typeof value === 'object' &&
      value !== null &&
      typeof (value as Record<string, unknown>)['_type'] !== 'string'
    return isStruct && Object.values(value).every((one) => anyOf('Feature', one))
  },
  // The library leaves the rate out where none was set.
  AudioFeature: (value) => (value as Record<string, unknown>)['_type'] === 'Audio',
}

const withoutNulls = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'src' in value
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value

const rules: Rules = { schemas, instead: (name, value) => deviations[name]?.(value) }

/** Codes of real servers that the document has under another name, or not at all. */
const codes: Record<number, string[]> = {
  // The document calls it ResponseNotReadyError, and its own examples ResponseNotReady; the same of UnexpectedApiError.
  500: ['ResponseNotReady', 'UnexpectedApiError', 'EmptyDatasetError'],
  // Of parameters with a wrong value.
  422: ['InvalidParameter'],
  // The viewer is turned off; statistics of columns that have none.
  501: ['NotSupportedDisabledViewerError', 'NoSupportedFeaturesError'],
}

const answers: [string, string][] = [
  ['/is-valid', 'IsValidResponse'],
  ['/is-valid?config=default&split=train', 'IsValidResponse'],
  ['/splits', 'SplitsResponse'],
  ['/splits?config=default', 'SplitsResponse'],
  ['/first-rows?config=default&split=train', 'FirstRowsResponse'],
  ['/rows?config=default&split=train&length=100', 'PaginatedResponse'],
  ['/search?config=default&split=train&query=x', 'PaginatedResponse'],
  [`/filter?config=default&split=train&where=${encodeURIComponent('"int" > 3')}`, 'PaginatedResponse'],
  ['/parquet', 'ParquetResponse'],
  ['/parquet?config=default', 'ParquetResponse'],
  ['/size', 'SizeResponse'],
  ['/size?config=default', 'SizeResponse'],
  ['/info', 'InfoResponse'],
  ['/info?config=default', 'InfoResponse'],
  ['/statistics?config=default&split=train', 'StatisticsResponse'],
]

const value = (dtype: string) => ({ _type: 'Value', dtype }) as const
/** A column of each kind, by the SQL that makes it. */
const columns: [NamedFeature, string][] = [
  [{ name: 'int', type: value('int64') }, 'range'],
  [{ name: 'big', type: value('uint64') }, '(9007199254740993 + range)::UBIGINT'],
  [{ name: 'float', type: value('float64') }, 'CASE WHEN range > 2 THEN range / 4 END'],
  [{ name: 'bool', type: value('bool') }, 'range % 2 = 0'],
  [{ name: 'word', type: value('string') }, `'x' || range % 3`],
  [{ name: 'text', type: value('large_string') }, `repeat('x', (range % 15)::INT) || range`],
  [{ name: 'raw', type: value('binary') }, `'x'::BLOB`],
  [{ name: 'decimal', type: value('decimal128(10, 2)') }, 'range::DECIMAL(10, 2)'],
  [{ name: 'day', type: value('date32') }, `date '2024-01-01' + range::INT`],
  [{ name: 'at', type: value('timestamp[us]') }, `timestamp '2024-01-01' + to_days(range::INT)`],
  [
    { name: 'zoned', type: value('timestamp[us, tz=UTC]') },
    `'2024-01-01'::TIMESTAMPTZ + to_days(range::INT)`,
  ],
  [{ name: 'label', type: { _type: 'ClassLabel', names: ['no', 'yes'] } }, 'range % 2'],
  [{ name: 'list', type: { _type: 'List', feature: value('int64') } }, 'range(range % 3)'],
  [
    { name: 'struct', type: { a: value('int32'), b: { _type: 'List', feature: value('string') } } },
    `{'a': 1, 'b': ['x', NULL]}`,
  ],
  [{ name: 'json', type: { _type: 'Json' } }, `'{"a": [1, {"b": null}]}'`],
  [{ name: 'image', type: { _type: 'Image' } }, `{'bytes': 'no picture'::BLOB, 'path': 'x.png'}`],
  [
    { name: 'audio', type: { _type: 'Audio' } },
    `CASE WHEN range > 2 THEN {'bytes': 'no sound'::BLOB, 'path': 'x.wav'} END`,
  ],
  [{ name: 'video', type: { _type: 'Video' } }, `{'bytes': 'no film'::BLOB, 'path': 'x.mp4'}`],
  [{ name: 'none', type: value('null') }, 'NULL::INT'],
]

eachDatabase('the public document of the viewer', (world) => {
  let ada: UserActor
  let repo: Repo
  let bearer: string
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bearer = (await givenToken(world, ada)).secret
    const listed = columns.map(([{ name }, sql]) => `${sql} AS "${name}"`).join(', ')
    const files = [await parquetOf(`SELECT ${listed} FROM range(40)`)]
    const features = columns.map(([feature]) => feature)
    repo = await givenExport(world, ada, [
      { files, features },
      { config: 'rough', files, features, isExact: false },
    ])
  })

  async function ask(
    path: string,
    { dataset = `${repo.ns}/${repo.name}`, isSignedIn = true, viewer = {}, isPatient = false } = {},
  ) {
    const config = { ...world.deps.config, viewer: { ...world.deps.config.viewer, ...viewer } }
    const app = buildApp({ ...world.deps, config }, { state: 'ready', check: async () => undefined })
    const [endpoint, query = ''] = path.split('?')
    const given = new URLSearchParams(query)
    if (dataset !== '') given.set('dataset', dataset)
    for (;;) {
      const answer = await app.request(`/viewer-api${endpoint}?${given}`, {
        headers: isSignedIn ? { Authorization: `Bearer ${bearer}` } : {},
      })
      const code = answer.headers.get('x-error-code')
      const body = (await answer.json()) as unknown
      // As clients do, which ask until statistics are made.
      if (code !== 'ResponseNotReady' || !isPatient) return { status: answer.status, code, body }
    }
  }

  test.each(answers)('%s is a %s', async (path, name) => {
    const { status, body } = await ask(path, { isPatient: true })
    expect([status, schemaFaults(body, { $ref: `#/components/schemas/${name}` }, rules)]).toEqual([200, []])
  })

  test('errors of every endpoint are those of the document, with their codes', async () => {
    const empty = await givenRepo(world, ada, { type: 'dataset' })
    const endpoints = [...new Set(answers.map(([path]) => path.split('?')[0] ?? ''))]
    const place = 'config=default&split=train&query=x&where=int=1'
    const seen = new Set<string>()
    for (const endpoint of endpoints)
      for (const [expected, asked] of [
        [401, ask(`${endpoint}?${place}`, { dataset: 'ada/none', isSignedIn: false })],
        [404, ask(`${endpoint}?${place}`, { dataset: 'ada/none' })],
        [404, ask(`${endpoint}?config=no-such&split=train&query=x`)],
        [422, ask(`${endpoint}?${place}`, { dataset: '' })],
        [500, ask(`${endpoint}?${place}`, { dataset: `${empty.ns}/${empty.name}` })],
        [501, ask(`${endpoint}?${place}`, { viewer: { enabled: false } })],
      ] as const) {
        const { status, code, body } = await asked
        expect([endpoint, status]).toEqual([endpoint, expected])
        expect(schemaFaults(body, { $ref: '#/components/schemas/CustomError' }, rules)).toEqual([])
        const stated =
          headers[`X-Error-Code-${status}`]?.schema ?? expect.fail(`no ${status} in the document`)
        const isStated = schemaFaults(code, stated, rules).length === 0
        expect([endpoint, code, isStated || codes[status]?.includes(code ?? '')]).toEqual([
          endpoint,
          code,
          true,
        ])
        seen.add(`${status} ${code}`)
      }
    expect([...seen].sort()).toEqual([
      '401 ExternalUnauthenticatedError',
      '404 ExternalAuthenticatedError',
      '404 ResponseNotFound',
      '422 MissingRequiredParameter',
      '500 ResponseNotReady',
      '501 NotSupportedDisabledViewerError',
    ])
  })

  test('what is not as the document says is found', () => {
    const faults = (body: unknown, name: string) =>
      schemaFaults(body, { $ref: `#/components/schemas/${name}` }, rules)
    expect(faults({ splits: [{ dataset: 'a', config: 'b' }] }, 'SplitsResponse')).toEqual([
      '$.splits[0] lacks split',
    ])
    expect(faults({ parquet_files: [], partial: 'no' }, 'ParquetResponse')).toEqual([
      '$.partial is "no", no boolean',
    ])
    expect(faults({ feature_idx: 0, name: 'x', type: value('int65') }, 'FeatureItem')).toHaveLength(1)
  })
})
