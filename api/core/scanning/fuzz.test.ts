import { expect, test } from 'vitest'
import { corpora, mutated, randomOf, readAll } from './testing/fuzz.ts'

/** The same files at each run; another seed finds others. */
const seed = Number(process.env['FUZZ_SEED'] ?? 18)
/** For all readers together. */
const totalMs = Number(process.env['FUZZ_MS'] ?? 20_000)
const readers = Object.entries(corpora)

test.each(readers)(`%s: any change of a file is read to an end (seed ${seed})`, (_, { path, files }) => {
  const random = randomOf(seed)
  const end = performance.now() + totalMs / readers.length
  // What a change made is changed again, so that faults may build on each other.
  const pool = [...files]
  for (let round = 0; round < 100 || performance.now() < end; round++) {
    const file = mutated(pool[random(pool.length)] as Buffer, random)
    const about = `seed ${seed}, round ${round}: ${file.toString('base64')}`
    expect(() => readAll(path, file), about).not.toThrow()
    if (round % 50 === 0 && file.length < 100_000)
      pool[Math.min(pool.length, files.length + random(64))] = file
  }
})
