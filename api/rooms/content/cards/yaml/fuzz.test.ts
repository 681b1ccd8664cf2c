import { expect, test } from 'vitest'
import { mutated, randomOf } from '../../../../core/scanning/testing/fuzz.ts'
import { parseYaml } from './parse.ts'

/** The same texts at each run; another seed finds others. */
const seed = Number(process.env['FUZZ_SEED'] ?? 18)
const rounds = 2000

const cards = [
  'license: mit\nlanguage:\n- en\n- no\ntags: [a, "b"]\nmodel-index:\n- name: x\n  results: []\n',
  'a: &x {b: [1, 2]}\nc: *x\nd: |\n  text\n  more\ne: >-\n  folded\n# comment\n',
]

test(`any change of the metadata of a card is read, or refused with a reason (seed ${seed})`, () => {
  const random = randomOf(seed)
  for (let round = 0; round < rounds; round++) {
    const text = mutated(Buffer.from(cards[round % cards.length] ?? ''), random).toString('utf8')
    const about = `seed ${seed}, round ${round}: ${JSON.stringify(text)}`
    expect(() => parseYaml(text), about).not.toThrow()
  }
})
