import { describe, expect, test } from 'vitest'
import { drawn, mutantsOf, mutated } from './mutants.ts'

/** Each fault of a text, as the kind and what the text becomes. */
const faultsOf = (source: string) =>
  mutantsOf('file.ts', source).map((mutant) => [mutant.kind, mutated(source, mutant)])

const textsOf = (source: string, kind: string) =>
  faultsOf(source)
    .filter(([of]) => of === kind)
    .map(([, text]) => text)

describe('faults that are made', () => {
  test('a guard always holds, never holds, and holds when it should not', () => {
    expect(faultsOf('if (a) throw b')).toEqual([
      ['condition always holds', 'if (true) throw b'],
      ['guard removed', 'if (false) throw b'],
      ['condition negated', 'if (!(a)) throw b'],
    ])
  })

  test('a loop ends at once and is never made endless', () => {
    expect(faultsOf('while (a) b')).toContainEqual(['condition never holds', 'while (false) b'])
    expect(faultsOf('while (true) b()')).toEqual([['statement removed', 'while (true) ;']])
  })

  test('boundaries, comparisons, logic and arithmetic change', () => {
    expect(faultsOf('x = a < b')).toContainEqual(['boundary moved', 'x = ((a) <= (b))'])
    expect(faultsOf('x = a === b')).toContainEqual(['comparison turned', 'x = ((a) !== (b))'])
    expect(faultsOf('x = a ?? b')).toContainEqual(['logic changed', 'x = ((a) && (b))'])
    expect(faultsOf('x = a * b')).toContainEqual(['arithmetic changed', 'x = ((a) / (b))'])
    expect(faultsOf('i++')).toContainEqual(['arithmetic changed', 'i--'])
  })

  test('texts are not subtracted', () => {
    expect(textsOf("x = 'a' + b", 'arithmetic changed')).toEqual([])
  })

  test('statements are removed, those that only log are not', () => {
    expect(textsOf('f(); ctx.log.warn({}, text)', 'statement removed')).toEqual(['; ctx.log.warn({}, text)'])
  })

  test('an await is removed, but not where the caller waits anyway', () => {
    expect(textsOf('async () => { await f(); return await g() }', 'await removed')).toEqual([
      'async () => { (f()); return await g() }',
    ])
    expect(textsOf('async () => { try { return await g() } finally { h() } }', 'await removed')).toHaveLength(
      1,
    )
  })

  test('small numbers grow by one, large ones become 0', () => {
    expect(faultsOf('x(3)')).toContainEqual(['number changed', 'x(4)'])
    expect(faultsOf('x(4096)')).toContainEqual(['number changed', 'x(0)'])
  })

  test('members of a where are dropped one by one, and a where that has but one as a whole', () => {
    expect(textsOf('d.where(and(a, b))', 'where member dropped')).toEqual([
      'd.where(and(b))',
      'd.where(and(a))',
    ])
    expect(textsOf('d.where(a)', 'where dropped')).toEqual(['d'])
    expect(textsOf('d.where(and(a, b))', 'where dropped')).toEqual([])
  })

  test('texts are emptied where they are the answer', () => {
    expect(textsOf("() => 'name'", 'text emptied')).toEqual(["() => ''"])
    expect(textsOf("f('name')", 'text emptied')).toEqual([])
  })

  test('types have none', () => {
    expect(faultsOf("type A = 1 | 'b'; let x: 3 | true")).toEqual([])
  })
})

describe('the draw', () => {
  const source = 'if (a < 1) throw b\nif (c > 2) throw d\nf(g || h)'
  const all = mutantsOf('file.ts', source)

  test('is the same for the same seed, and another for another', () => {
    const ids = (seed: string) => drawn(all, 5, seed).map(({ id }) => id)
    expect(ids('one')).toEqual(ids('one'))
    expect(ids('one')).not.toEqual(ids('two'))
    expect(new Set(ids('one')).size).toBe(5)
  })

  test('is the same when code comes before', () => {
    const later = mutantsOf('file.ts', `import { e } from 'e'\n\n${source}`)
    const ids = (mutants: typeof all) => drawn(mutants, 5, 'one').map(({ id }) => id)
    expect(ids(later)).toEqual(ids(all))
  })

  test('tells equal faults of equal lines apart', () => {
    const twice = mutantsOf('file.ts', 'f()\nf()')
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2)
    expect(twice.map(({ line }) => line)).toEqual([1, 2])
  })
})
