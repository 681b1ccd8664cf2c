import { describe, expect, test } from 'vitest'
import { choose } from './choose.ts'
import type { StoredGguf } from './gguf-files.ts'
import { ollamaCommand, tagOf } from './list-quants.ts'

const stored = (paths: readonly string[]): StoredGguf[] =>
  paths.map((path, i) => ({ path, oid: String(i), sizeBytes: 100 + i }))
const chosen = (paths: string[], tag: string) => choose(stored(paths), tag).model.path
const m = (quant: string) => `m-${quant}.gguf`

describe('a tag chooses', () => {
  test.each([
    [['Q4_0', 'Q4_K_S', 'UD-Q4_K_XL', 'Q4_K_M', 'Q8_0'], 'Q4_K_M'],
    [['Q4_0', 'Q4_K_S', 'UD-Q4_K_XL', 'Q8_0'], 'UD-Q4_K_XL'],
    [['Q4_0', 'Q4_K_S', 'Q8_0', 'Q5_K_M'], 'Q4_K_S'],
    [['Q4_0', 'Q8_0', 'Q5_K_M', 'IQ4_XS'], 'Q4_0'],
    [['Q8_0', 'Q5_K_M', 'Q2_K'], 'Q5_K_M'],
    [['Q8_0', 'Q2_K', 'F16'], 'Q2_K'],
    [['IQ4_XS', 'Q5_K_M'], 'IQ4_XS'],
    [['Q8_0', 'F16'], 'Q8_0'],
    [['F16', 'F32'], 'F32'],
  ])('of %j as latest %s', (quants, quant) => {
    expect(chosen(quants.map(m), 'latest')).toBe(m(quant))
    expect(chosen(quants.map(m).toReversed(), 'latest')).toBe(m(quant))
  })

  test.each([
    ['q4_k_m', 'm-Q4_K_M.gguf'],
    ['m-Q8_0.gguf', 'm-Q8_0.gguf'],
    ['ud-q5_k_xl', 'm-UD-Q5_K_XL.gguf'],
    ['Q5_K_XL', 'm-UD-Q5_K_XL.gguf'],
    ['Q6_K', 'm-Q6_K.gguf'],
    ['UD-Q6_K', 'm-UD-Q6_K.gguf'],
  ])('by %s %s', (tag, path) => {
    const quants = ['Q4_K_M', 'Q8_0', 'UD-Q5_K_XL', 'Q6_K', 'UD-Q6_K']
    expect(chosen(quants.map(m), tag)).toBe(path)
  })

  test('a file by its whole name only', () => {
    expect(() => chosen([m('Q8_0')], 'm-q8_0.gguf')).toThrow(/no tag "m-q8_0.gguf".*Q8_0/)
  })

  test('nothing where several models have it', () => {
    const two = ['a-Q4_0.gguf', 'b-Q4_0.gguf', 'a-Q8_0.gguf']
    expect(() => chosen(two, 'Q4_0')).toThrow(/Several models.*Choose a file: b-Q4_0\.gguf, a-Q4_0\.gguf\./)
    expect(chosen(two, 'b-Q4_0.gguf')).toBe('b-Q4_0.gguf')
    expect(() => chosen(['a-UD-Q4_K_M.gguf', 'b-UD-Q4_K_M.gguf'], 'Q4_K_M')).toThrow(/Several models/)
  })

  test('nothing in a repo without GGUF', () => {
    expect(() => chosen([], 'latest')).toThrow(/no GGUF file/)
    expect(() => chosen(['mmproj-F16.gguf'], 'latest')).toThrow(/no GGUF file/)
  })

  test.each([
    [['Q8_0', 'F32', 'BF16', 'F16'], 'F16'],
    [['Q8_0', 'F32', 'BF16'], 'BF16'],
    [['Q8_0', 'F32'], 'F32'],
    [['Q4_0', 'Q8_0'], 'Q8_0'],
    [['BF16', 'fp16'], 'fp16'],
    [['Q4_0'], 'Q4_0'],
  ])('of the projectors %j the one of %s', (quants, quant) => {
    const files = stored([m('Q4_K_M'), ...quants.map((each) => `mmproj-${each}.gguf`)])
    expect(choose(files, 'latest').projector?.path).toBe(`mmproj-${quant}.gguf`)
  })
})

describe('the command of ollama', () => {
  const url = 'https://hub.example'
  test.each([
    ['ada', 'm', 'Q4_0', 'ollama pull hub.example/ada/m:Q4_0'],
    ['a_d-a', 'm.v1', 'a-Q4_0.gguf', 'ollama pull hub.example/a_d-a/m.v1:a-Q4_0.gguf'],
    ['a'.repeat(80), 'm'.repeat(80), 't'.repeat(80), /^ollama pull /],
    ['a.da', 'm', 'Q4_0', ''],
    ['a'.repeat(81), 'm', 'Q4_0', ''],
    ['ada', 'm'.repeat(81), 'Q4_0', ''],
    ['ada', 'm', `${'t'.repeat(76)}.gguf`, ''],
    ['ada', 'm', 'Q4_0 b.gguf', ''],
  ])('for %s, %s and %s is %s', (ns, name, tag, command) => {
    const found = ollamaCommand('pull', url, { type: 'model', ns, name }, tag)
    if (typeof command === 'string') expect(found).toBe(command)
    else expect(found).toMatch(command)
  })

  test('has --insecure where the server is not reached by https', () => {
    const address = { type: 'model', ns: 'ada', name: 'm' } as const
    expect(ollamaCommand('run', 'http://hub.example:8080', address, 'Q4_0')).toBe(
      'ollama run --insecure hub.example:8080/ada/m:Q4_0',
    )
  })

  test('names a file where a label is that of two models', () => {
    expect(tagOf({ name: 'Q4_0 · a', files: ['x/a-Q4_0.gguf'] })).toBe('a-Q4_0.gguf')
    expect(tagOf({ name: 'Q4_0', files: ['x/a-Q4_0.gguf'] })).toBe('Q4_0')
  })
})
