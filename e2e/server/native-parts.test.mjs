// Programs that few requests need are loaded by the processes that run them: DuckDB takes 25 MiB and a tenth of the start.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'

let server
before(async () => {
  server = await startServer()
})
after(() => server.stop())

test('a server that has just started holds the native parts of SQLite, BLAKE3 and the password library alone', () => {
  const files = readFileSync(`/proc/${server.pid}/maps`, 'utf8').match(/[^/\s]+\.node$/gm) ?? []
  const packages = [...new Set(files)].map((file) => file.split('.')[0])
  // SQLite's is called index.node.
  assert.deepEqual(packages.toSorted(), ['argon2', 'bcrypt', 'blake', 'index'])
})
