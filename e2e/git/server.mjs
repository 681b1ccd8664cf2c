// One server for the tests of a file; at its end everything it stores must be sound.
import assert from 'node:assert/strict'
import { startServer } from '../fixtures/server.mjs'

export async function openServer(settings = {}) {
  const server = await startServer(settings)
  return Object.assign(server, {
    async close() {
      try {
        assert.equal((await server.cli(['fsck', '--deep'])).trim(), '')
      } finally {
        await server.stop()
      }
    },
  })
}
