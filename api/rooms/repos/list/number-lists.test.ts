import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberLists } from './number-lists.ts'

test('lists stay what they were set to, whatever is set beside them', () => {
  const change = fc.tuple(fc.nat(3000), fc.array(fc.nat(100), { maxLength: 40 }))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const lists = new NumberLists()
      const expected = new Map<number, number[]>()
      for (const [place, list] of changes) {
        lists.set(place, list)
        expected.set(place, list)
      }
      for (const [place, list] of expected) expect([...lists.at(place)]).toEqual(list)
    }),
    { numRuns: 50 },
  )
})
