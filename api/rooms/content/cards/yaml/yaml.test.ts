import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseYaml } from './parse.ts'
import { readYaml } from './read.ts'
import { parseInThread } from './thread.ts'

const codeOf = (yaml: string) => {
  const parsed = parseYaml(yaml)
  return 'fault' in parsed ? parsed.fault.code : 'fine'
}
const KIB_64 = 64 * 1024

/** Text of 64 KiB made of pieces. */
const long = (piece: (i: number) => string) => {
  let text = ''
  for (let i = 0; text.length < KIB_64 - 50; i++) text += piece(i)
  return text
}

describe('YAML', () => {
  test('says what the library says of it', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1é:-#"\' ,.~'), maxLength: 8 })
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, (written) => {
        expect(parseYaml(JSON.stringify(written))).toEqual({ value: JSON.parse(JSON.stringify(written)) })
      }),
    )
  })

  test.each([
    'a: [1, 2]\nb: {c: d}\n? e\n: f\n',
    'base: &b {x: 1}\nother: *b\nlist: [&s text, *s]\n',
    'a: 0x10\nb: 1e3\nc: ~\nd: yes\ne: 2020-01-01\nf: |\n  text\n',
    '1: a\ntrue: b\n~: c\n',
    '# nothing\n',
    '',
  ])('%j is read as the library reads it', (yaml) => {
    expect(parseYaml(yaml)).toEqual({ value: JSON.parse(JSON.stringify(parse(yaml))) })
  })

  test.each([
    ['a key twice', 'a: 1\nb: 2\na: 3\n', 'yaml-invalid', /^Line 4: Map keys must be unique/],
    ['a key twice, once as a number', '1: a\n"1": b\n', 'yaml-invalid', /unique/],
    ['a list as a key', '? [a]\n: 1\n', 'yaml-invalid', /^Line 2: A key must be a single value/],
    ['an alias without an anchor', 'a: *b\n', 'yaml-invalid', /No anchor before this alias is called b/],
    ['an alias inside of what it names', 'a: &a [*a]\n', 'yaml-invalid', /must not stand inside/],
    ['two documents', 'a: 1\n...\nb: 2\n', 'yaml-invalid', /one document/],
    ['101 aliases', `a: &a 1\nb: [${'*a ,'.repeat(101)}]\n`, 'yaml-unsafe', /more than 100 aliases/],
    [
      'aliases that repeat a long text',
      `a: &a ${'x'.repeat(60_000)}\nb: [${'*a ,'.repeat(20)}]\n`,
      'yaml-unsafe',
      /repeat too much/,
    ],
    [
      'aliases nested one in another',
      `a0: &a0 [1]\n${Array.from({ length: 60 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`).join('')}`,
      'yaml-unsafe',
      /nested more than 50 deep/,
    ],
  ])('%s is refused', (_, yaml, code, message) => {
    const parsed = parseYaml(yaml)
    expect(parsed).toMatchObject({ fault: { code, message: expect.stringMatching(message) } })
  })

  test.each([
    ['short keys', long((i) => `k${i.toString(36)}:\n`), 'fine'],
    ['keys of a flow map', `{${long((i) => `k${i.toString(36)},`)}}`, 'fine'],
    ['commas', `[${long(() => ',')}`, 'yaml-invalid'],
    ['anchors', long((i) => `- &a${i} 1\n`), 'fine'],
    ['brackets', long(() => '['), 'yaml-unsafe'],
    ['brackets side by side', `a: [${long(() => '[],')}]`, 'fine'],
    ['anchors in a row', long(() => '&a '), 'yaml-invalid'],
  ])('64 KiB of %s come to an end', (_, yaml, code) => {
    expect(codeOf(yaml)).toBe(code)
  })

  test('tags that JSON has no form for are texts', () => {
    expect(parseYaml('a: !!binary aGk=\nb: !!set {x: }\nc: !own 5\n')).toEqual({
      value: { a: 'aGk=', b: { x: null }, c: '5' },
    })
  })
})

describe('long YAML', () => {
  const configs = Array.from(
    { length: 400 },
    (_, i) => `- name: config-${i}\n  features: [{dtype: string}]\n`,
  )
  const card = `dataset_info:\n${configs.join('')}`

  test('is read in a thread as it is in place', async () => {
    expect(card.length).toBeGreaterThan(10_000)
    expect(await readYaml(card)).toEqual(parseYaml(card))
    expect(await readYaml(`${card}- name: [`)).toEqual(parseYaml(`${card}- name: [`))
  })

  test('is parsed once while it is remembered', async () => {
    const [first, second] = await Promise.all([readYaml(card), readYaml(card)])
    expect(second).toBe(first)
  })

  test('beyond its memory or time is not read, and the next is', async () => {
    const parsed = await readYaml(`a: [${'[],'.repeat(2_000_000)}]`)
    expect(parsed).toMatchObject({ fault: { code: 'yaml-too-complex' } })
    expect(await parseInThread('a: 1')).toEqual({ value: { a: 1 } })
  })

  test('waits for its turn, up to a limit', async () => {
    const all = await Promise.allSettled(Array.from({ length: 70 }, () => parseInThread('a: 1')))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(64)
    expect(all.at(-1)).toMatchObject({ reason: { code: 'temporarily-unavailable', retryAfterS: 2 } })
    expect(await parseInThread('a: 1')).toEqual({ value: { a: 1 } })
  })
})
