import { expect, test } from 'vitest'
import { corpora, mutated, randomOf, readAll } from './testing/fuzz.ts'

const rounds = 3000

test.each(Object.entries(corpora))('%s: any change of a file is read to an end', (_, { path, files }) => {
  const random = randomOf(18)
  for (let i = 0; i < rounds; i++) {
    const file = mutated(files[i % files.length] as Buffer, random)
    expect(() => readAll(path, file), `round ${i}: ${file.toString('base64')}`).not.toThrow()
  }
})
