import { describe, expect, test } from 'vitest'
import { parseCard } from './card.ts'
import { validateYaml } from './validate-yaml.ts'

describe('front matter', () => {
  test('is read after a byte-order mark and with Windows line ends', async () => {
    const card = await parseCard('\uFEFF---\r\nlicense: mit\r\n---\r\n# Hi\r\n')
    expect(card.frontMatter).toEqual({ license: 'mit' })
    expect(card.body).toBe('# Hi\r\n')
  })
  test('keeps `no` as the language Norwegian', async () => {
    expect((await parseCard('---\nlanguage: no\n---\n')).frontMatter).toEqual({ language: 'no' })
  })
  test('a README without one has no problem', async () => {
    expect(await parseCard('# Title\n\n---\na: b\n---\n')).toEqual({
      problems: [],
      body: '# Title\n\n---\na: b\n---\n',
    })
  })
  test.each([
    ['unparseable YAML', '---\na: [1\n---\n', 'yaml-invalid'],
    ['no closing line', '---\na: 1\n', 'front-matter-open'],
    ['a list in place of a map', '---\n- a\n---\n', 'not-a-map'],
    ['too many bytes', `---\na: ${'x'.repeat(1_100_000)}\n---\n`, 'front-matter-too-large'],
    ...['[', '{', '- ', '? ', '- {', '[['].map((opening) => [
      `nesting of ${opening} without end`,
      `---\n${opening.repeat(20_000)}\n---\n`,
      'yaml-unsafe',
    ]),
    ['nesting too deep', `---\na: ${'['.repeat(60)}${']'.repeat(60)}\n---\n`, 'yaml-unsafe'],
    [
      'aliases that explode',
      `---\na: &a [${'x, '.repeat(20)}x]\n${'bcdefgh'
        .split('')
        .map((k, i) => `${k}: &${k} [${`*${'abcdefgh'[i]}, `.repeat(20)}1]`)
        .join('\n')}\n---\n`,
      'yaml-unsafe',
    ],
  ])('%s is a problem, not a failure', async (_, readme, code) => {
    expect((await parseCard(readme)).problems.map((p) => p.code)).toEqual([code])
  })
  test('may have a model-index of 900 KiB', async () => {
    const result = (i: number) =>
      `  - task: {type: retrieval}\n    dataset: {type: mteb/d${i}, name: MTEB D${i}}\n` +
      `    metrics:\n    - type: map_at_1\n      value: ${i / 7}\n`
    let results = ''
    let count = 0
    while (results.length < 900 * 1024) results += result(count++)
    const { problems, frontMatter } = await parseCard(
      `---\nmodel-index:\n- name: m\n  results:\n${results}---\n`,
    )
    expect(problems).toEqual([])
    expect(frontMatter).toMatchObject({ 'model-index': [{ name: 'm', results: { length: count } }] })
  })
  test('may have 1 MiB, to the last byte', async () => {
    const readme = (sizeBytes: number) => `---\na: ${'x'.repeat(sizeBytes - 'a: \n'.length)}\n---\n`
    expect(await parseCard(readme(1024 * 1024))).toMatchObject({
      problems: [],
      frontMatter: { a: expect.stringMatching(/^x+$/) },
    })
    const { problems } = await parseCard(readme(1024 * 1024 + 1))
    expect(problems.map(({ code }) => code)).toEqual(['front-matter-too-large'])
  })
  test('holds nothing that a database refuses', async () => {
    const { frontMatter } = await parseCard('---\n"a\\0b": "c\\0\\uD800d"\n__proto__: {x: 1}\nn: .nan\n---\n')
    expect(JSON.stringify(frontMatter)).toBe('{"ab":"c\uFFFDd","__proto__":{"x":1},"n":"NaN"}')
    expect(Object.getPrototypeOf(frontMatter)).toBe(Object.prototype)
  })
})

test('a card shows no text in another order than it is stored in', async () => {
  const turned = '\u202A\u202B\u202D\u202Eevil\u202C\u2066\u2067\u2068\u2069'
  const card = await parseCard(
    `---\npipeline_tag: ${turned}\ntags: [${turned}]\n"${turned}": ${turned}\n---\n`,
  )
  expect(card.frontMatter).toEqual({ pipeline_tag: 'evil', tags: ['evil'], evil: 'evil' })
})

describe('metadata check', () => {
  const errors = async (matter: string, type: 'model' | 'dataset' = 'model') =>
    (await validateYaml(`---\n${matter}\n---\n`, type)).errors.map((e) => e.message)
  const warnings = async (matter: string) =>
    (await validateYaml(`---\n${matter}\n---\n`, 'model')).warnings.map((w) => w.message)

  const task = 'task: {type: retrieval}'

  test('a sound card passes without a word', async () => {
    const matter = 'language: en\nlicense: mit\npipeline_tag: text-generation\nlibrary_name: transformers'
    const index = `model-index: [{name: x, results: [{${task}, dataset: {type: d, name: D}, metrics: [{type: a, value: 0}]}]}]`
    const ids = 'datasets: [squad, a/b]\nbase_model: a/b\nnew_version: a/c'
    expect(await validateYaml(`---\n${matter}\n${ids}\n${index}\n---\n`, 'model')).toEqual({
      errors: [],
      warnings: [],
    })
  })
  test('a card without metadata is warned of', async () => {
    expect((await validateYaml('# Hi', 'model')).warnings).toHaveLength(1)
  })
  test.each([
    ['language: English', /"language" with value "English"/],
    ['license: {a: b}', /"license" must be/],
    ['pipeline_tag: [a]', /"pipeline_tag" must be a string/],
    ['base_model: a/b/c', /"base_model" with value/],
    ['base_model_relation: child', /must be one of/],
    ['base_model: {a: b}', /"base_model" must be a string or a list/],
    ['datasets: a/b/c', /"datasets" with value "a\/b\/c" is not a repo id/],
    ['datasets: [fine/one, "not one"]', /"datasets" with value "not one"/],
    ['new_version: https://example.com/a', /"new_version" with value/],
    ['model-index: {name: x}', /"model-index" must be a list/],
    ['model-index: [{results: []}]', /"model-index\[0\]\.name" is required/],
    ['model-index: [{name: x}]', /results" is required/],
    [`model-index: [{name: x, results: [{${task}}]}]`, /metrics" is required/],
    [`model-index: [{name: x, results: [{${task}, dataset: {name: d}}]}]`, /dataset\.type" is required/],
    [`model-index: [{name: x, results: [{${task}, dataset: {type: d}}]}]`, /dataset\.name" is required/],
    [
      `model-index: [{name: x, results: [{${task}, metrics: [{value: 1}]}]}]`,
      /metrics\[0\]\.type" is required/,
    ],
    [
      `model-index: [{name: x, results: [{${task}, metrics: [{type: a}]}]}]`,
      /metrics\[0\]\.value" is required/,
    ],
    ['model-index: [{name: x, results: [{metrics: [{type: acc}]}]}]', /task\.type" is required/],
    ['a: [', /Line \d/],
  ])('%s is an error', async (matter, message) => {
    expect((await errors(matter)).join('\n')).toMatch(message)
  })
  test('a configuration of a dataset needs its name', async () => {
    expect(await errors('configs: [{data_files: x.csv}]', 'dataset')).toEqual([
      '"configs[0].config_name" is required',
    ])
  })
  test.each(['license: acme-1.0', 'license: other', 'pipeline_tag: dreaming', 'library_name: acme-lib'])(
    '%s is only warned of',
    async (matter) => {
      expect(await errors(matter)).toEqual([])
      expect(await warnings(matter)).toHaveLength(1)
    },
  )
})
