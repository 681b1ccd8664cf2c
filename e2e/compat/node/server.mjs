// The built server, of one process or of many (ARSENAL_COMPAT_TOPOLOGY), for the suites of the JavaScript hub client.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { newPerson, startServer } from '../../fixtures/server.mjs'
import { startHeard } from '../../topology/heard.mjs'
import { openStores } from '../../topology/stores.mjs'

/** How bytes travel where many processes are to serve: `redirect` or `proxy`. */
const mode = process.env['ARSENAL_COMPAT_TOPOLOGY']

/** Starts it; `settings` are configuration keys. Answers { url, logFile, log, newPerson, agree, stop }. */
export async function openServer(settings) {
  const { server, stop } = await (mode ? startMany(settings) : startOne(settings))
  return {
    url: server.url,
    logFile: join(server.dir, 'server.log'),
    log: () => server.log(),
    newPerson: (prefix) => newPerson(server.url, prefix),
    agree: () => agree(server),
    stop,
  }
}

async function startOne(settings) {
  const server = await startServer(settings)
  return { server, stop: () => server.stop() }
}

async function startMany(settings) {
  const stores = await openStores()
  try {
    const { topology, stop } = await startHeard(stores, { mode, settings })
    return { server: topology, stop: () => stop().finally(() => stores.stop()) }
  } catch (error) {
    await stores.stop()
    throw error
  }
}

/** What was stored is sound; and clients went to the bucket by themselves where they should, with no credential of ours. */
async function agree(server) {
  await server.cli(['fsck', '--deep'])
  const lines = server.log().split('\n')
  const asked = lines.filter((line) => line.includes('"credentials":')).map((line) => JSON.parse(line))
  assert.equal(asked.length > 0, mode === 'redirect')
  assert.deepEqual(
    asked.filter(({ credentials }) => credentials.length > 0),
    [],
  )
}
