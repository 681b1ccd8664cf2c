import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { fieldOf, joinCard, readMatter, splitCard, withField, type FieldValue } from './front-matter.ts'

const yaml = `# by hand, keep
license:   "mit"   # checked by legal

language:
- en
- no          # Norwegian
tags: [a,  b]
pipeline_tag: text-generation
model-index:
- name: x
  results: []
# the end
`

const field = (text: string, key: string) => {
  const read = readMatter(text)
  return 'fault' in read ? read.fault : fieldOf(read, key)
}

test('fields are read as they are written', () => {
  expect(field(yaml, 'license')).toBe('mit')
  expect(field(yaml, 'language')).toEqual(['en', 'no'])
  expect(field(yaml, 'tags')).toEqual(['a', 'b'])
  expect(field(yaml, 'base_model')).toBeUndefined()
  expect(field(yaml, 'model-index')).toBeNull()
  expect(field('language: no\nversion: 1.0\n', 'language')).toBe('no')
  expect(field('version: 1.0\n', 'version')).toBe('1.0')
})

test('a field is changed, added and removed, and every other byte stays', () => {
  const lines = (text: string) => text.split('\n')
  const changed = withField(yaml, 'pipeline_tag', 'text-classification')
  expect(changed).toBe(yaml.replace('pipeline_tag: text-generation', 'pipeline_tag: text-classification'))
  expect(withField(yaml, 'library_name', 'peft')).toBe(`${yaml}library_name: peft\n`)
  expect(lines(withField(yaml, 'tags', []))).toEqual(lines(yaml).filter((line) => !line.startsWith('tags')))
  expect(withField(yaml, 'language', ['en', 'no', 'de'])).toContain(
    'language:\n- en\n- "no"\n- de\ntags: [a,  b]\n',
  )
  expect(withField(yaml, 'language', [])).toContain('# checked by legal\n\ntags: [a,  b]')
  expect(withField(yaml, 'license', 'apache-2.0')).toContain(
    '# by hand, keep\nlicense: apache-2.0\n\nlanguage',
  )
})

test('an equal value changes no byte', () => {
  for (const [key, value] of Object.entries({
    license: 'mit',
    language: ['en', 'no'],
    tags: ['a', 'b'],
    pipeline_tag: ['text-generation'],
    base_model: [],
  }) as [string, FieldValue][])
    expect(withField(yaml, key, value), key).toBe(yaml)
})

test('values that YAML would read as something else are quoted', () => {
  for (const value of [
    'no',
    'true',
    '1.0',
    'null',
    '~',
    'a: b',
    '- x',
    '#no',
    '',
    'two\nlines',
    '"',
    "it's",
  ]) {
    const made = withField('', 'tags', [value, 'other'])
    expect(parse(made, { version: '1.2', schema: 'core' }), made).toEqual({ tags: [value, 'other'] })
  }
})

test('what fields cannot edit is left alone', () => {
  for (const broken of ['a: [', '- list\n', '{license: mit}\n', 'a: 1\na: 2\n'])
    expect(withField(broken, 'license', 'mit')).toBe(broken)
})

test('a card is split at its block and joined to the same bytes', () => {
  for (const card of [
    `---\n${yaml}---\n\n# Title\n`,
    '\uFEFF---\r\nlicense: mit\r\n---\r\ntext',
    '\n---\nlicense: mit\n---',
    '---\n---\n',
  ])
    expect(joinCard(splitCard(card) ?? expect.fail('no block'))).toBe(card)
  expect(splitCard('---\nlicense: mit\n# never closed\n')).toBeUndefined()
  const bare = splitCard('# Title\n') ?? expect.fail('no block')
  expect(joinCard({ ...bare, yaml: withField(bare.yaml, 'license', 'mit') })).toBe(
    '---\nlicense: mit\n---\n\n# Title\n',
  )
})

test('line ends and a missing last one stay as they are', () => {
  expect(withField('license: mit\r\ntags: x\r\n', 'license', 'gpl-3.0')).toBe(
    'license: gpl-3.0\r\ntags: x\r\n',
  )
  expect(withField('license: mit', 'tags', ['x'])).toBe('license: mit\ntags:\n- x\n')
})

test('a block of text, an alias and a folded value are replaced as a whole', () => {
  expect(withField('pretty_name: |\n  two\n  lines\nlicense: mit\n', 'pretty_name', 'One')).toBe(
    'pretty_name: One\nlicense: mit\n',
  )
  expect(withField('license:\ntags: x\n', 'license', 'mit')).toBe('license: mit\ntags: x\n')
  expect(withField('tags: [\n  a,\n  b ]\nlicense: mit\n', 'tags', ['c', 'd'])).toBe(
    'tags:\n- c\n- d\nlicense: mit\n',
  )
})
