// Every parser and scanner on changed files for FUZZ_MINUTES each: none throws, none grows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from 'tsx/esm/api'

register()
const { corpora, mutated, randomOf, readAll } = await import('../../api/core/scanning/testing/fuzz.ts')

const minutes = Number(process.env['FUZZ_MINUTES'] ?? 10)
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const mostBytes = 1024 ** 3

for (const [name, { path, files }] of Object.entries(corpora)) {
  test(`${name} for ${minutes} minutes from seed ${seed}`, () => {
    const random = randomOf(seed)
    const end = performance.now() + minutes * 60_000
    let rounds = 0
    // What a change made is changed again, so that faults may build on each other.
    const pool = [...files]
    while (performance.now() < end) {
      const file = mutated(pool[random(pool.length)], random)
      try {
        readAll(path, file)
      } catch (error) {
        throw new Error(`round ${rounds}: ${file.toString('base64')}`, { cause: error })
      }
      if (++rounds % 50 === 0 && file.length < 100_000) pool[files.length + random(64)] = file
      for (let i = 0; i < pool.length; i++) pool[i] ??= files[0]
    }
    const { rss } = process.memoryUsage()
    process.stdout.write(`${name}: ${rounds} files, ${Math.round(rss / 1024 ** 2)} MiB\n`)
    assert.ok(rss < mostBytes, `${rss} bytes of memory`)
  })
}
