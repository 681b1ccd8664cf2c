// Every parser and scanner on changed files for FUZZ_MINUTES each: none throws, none hangs, none grows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from 'tsx/esm/api'
import { madeOn, writeRow } from '../soak/page.mjs'

register()
const { corpora, mutated, randomOf, readAll } = await import('../../api/core/scanning/testing/fuzz.ts')
const { cards, readCardFully } = await import('../../api/rooms/content/cards/testing/fuzz.ts')

const minutes = Number(process.env['FUZZ_MINUTES'] ?? 10)
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
/** Names of readers with commas between them, where not all are to run. */
const only = process.env['FUZZ_ONLY']?.split(',')
const mostBytes = 1024 ** 3
/** The server stops a header after a minute. */
const longestMs = 60_000

const readers = Object.entries(corpora).map(([name, { path, files }]) => ({
  name,
  files,
  read: (file) => readAll(path, file),
}))
readers.push({ name: 'card', files: cards, read: readCardFully })

for (const { name, files, read } of readers.filter((each) => only?.includes(each.name) ?? true)) {
  test(`${name} for ${minutes} minutes from seed ${seed}`, async () => {
    const random = randomOf(seed)
    const end = performance.now() + minutes * 60_000
    let rounds = 0
    // What a change made is changed again, so that faults may build on each other.
    const pool = [...files]
    while (performance.now() < end) {
      const file = mutated(pool[random(pool.length)], random)
      const started = performance.now()
      try {
        await read(file)
      } catch (error) {
        throw new Error(`round ${rounds}: ${file.toString('base64')}`, { cause: error })
      }
      const tookMs = performance.now() - started
      assert.ok(tookMs < longestMs, `round ${rounds} took ${tookMs} ms: ${file.toString('base64')}`)
      if (++rounds % 50 === 0 && file.length < 100_000) pool[files.length + random(64)] = file
      for (let i = 0; i < pool.length; i++) pool[i] ??= files[0]
    }
    const { rss } = process.memoryUsage()
    const memory = `${Math.round(rss / 1024 ** 2)} MiB`
    process.stdout.write(`${name}: ${rounds} files, ${memory}\n`)
    assert.ok(rss < mostBytes, `${rss} bytes of memory`)
    if (minutes < 10) return
    const row = { reader: name, run: madeOn(), minutes, files: rounds, 'memory at the end': memory }
    writeRow('readers of files', Object.keys(row), Object.values(row))
  })
}
