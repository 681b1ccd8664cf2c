import { describe, expect, test } from 'vitest'
import { bytesToCome, repoIn, selectionOf } from './choice.ts'

const file = (path: string, presence: 'present' | 'missing' = 'missing') => ({
  path,
  size: 10,
  lfs: { sha256: path },
  presence,
})

describe('the choice of files', () => {
  test('stands for exactly what is ticked', () => {
    const large = [file('a.bin'), file('b[1].bin', 'present'), file('c.bin')]
    expect(selectionOf(large, new Set(['a.bin', 'b[1].bin', 'c.bin']))).toEqual({ all: true })
    expect(selectionOf(large, new Set())).toEqual({})
    expect(selectionOf(large, new Set(['b[1].bin']))).toEqual({ include: ['b[[]1].bin'] })
    expect(bytesToCome(large, new Set(['a.bin', 'b[1].bin']))).toBe(10)
  })

  test('names the configs that it consists of', () => {
    const large = ['en/a.bin', 'en/b.bin', 'fr/a.bin', 'other.bin'].map((path) => file(path))
    const configs = [
      { name: 'en', files: ['en/a.bin', 'en/b.bin'] },
      { name: 'fr', files: ['fr/a.bin'] },
      { name: 'small', files: [] },
    ]
    const chosen = (...paths: string[]) => selectionOf(large, new Set(paths), configs)
    expect(chosen('en/a.bin', 'en/b.bin')).toEqual({ configs: ['en'] })
    expect(chosen('en/a.bin', 'en/b.bin', 'fr/a.bin')).toEqual({ configs: ['en', 'fr'] })
    expect(chosen('en/a.bin', 'fr/a.bin')).toEqual({ include: ['en/a.bin', 'fr/a.bin'] })
    expect(chosen('fr/a.bin', 'other.bin')).toEqual({ include: ['fr/a.bin', 'other.bin'] })
  })

  test('names what is left out where that is shorter, and gives up where both are too long', () => {
    const many = Array.from({ length: 500 }, (_, i) => file(`${i}.bin`))
    const chosen = new Set(many.slice(0, 400).map(({ path }) => path))
    expect(selectionOf(many, chosen)?.exclude).toHaveLength(100)
    expect(selectionOf(many, new Set(many.slice(0, 250).map(({ path }) => path)))).toBeUndefined()
  })

  test('a name or an address is recognised', () => {
    expect(repoIn('acme/tiny')).toEqual({ type: undefined, ns: 'acme', name: 'tiny' })
    expect(repoIn('https://hub.example/datasets/acme/rows/tree/main')).toEqual({
      type: 'datasets',
      ns: 'acme',
      name: 'rows',
    })
    expect(repoIn(' https://hub.example/acme/tiny ')).toEqual({ type: 'models', ns: 'acme', name: 'tiny' })
    expect(repoIn('bert')).toBeUndefined()
  })
})
