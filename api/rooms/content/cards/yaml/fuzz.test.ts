import { expect, test } from 'vitest'
import { mutated, randomOf } from '../../../../core/scanning/testing/fuzz.ts'
import { cards, readCardFully } from '../testing/fuzz.ts'
import { parseYaml } from './parse.ts'

/** The same texts at each run; another seed finds others. */
const seed = Number(process.env['FUZZ_SEED'] ?? 18)
const rounds = 2000

test(`any change of a card is read, or refused with a reason (seed ${seed})`, async () => {
  const random = randomOf(seed)
  for (let round = 0; round < rounds; round++) {
    const file = mutated(cards[round % cards.length] ?? Buffer.alloc(0), random)
    const text = file.toString('utf8')
    const about = `seed ${seed}, round ${round}: ${JSON.stringify(text)}`
    expect(() => parseYaml(text), about).not.toThrow()
    await expect(readCardFully(file), about).resolves.toBeUndefined()
  }
})
