// What the built server says at its start of settings that do nothing good, by their names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'

test('a value that clients do not get along with is warned of by its key', async () => {
  const server = await startServer({ 'chunk.xorb_retention': '24h' })
  try {
    const warnings = server
      .log()
      .split('\n')
      .filter((line) => line.includes('chunk.xorb_retention'))
    assert.equal(warnings.length, 1)
    assert.match(warnings[0], /keep them longer/)
  } finally {
    await server.stop()
  }
})

test('a server with settings that all do something warns of none', async () => {
  const server = await startServer({ 'lfs.verify_wait': '5s', 'gc.grace_period': '200h' })
  try {
    assert.doesNotMatch(server.log(), /has no effect|verify_wait|grace_period/)
  } finally {
    await server.stop()
  }
})

test('a key that does not exist ends the start, which names it and the nearest one', async () => {
  await assert.rejects(
    startServer({ 'gc.grace_perod': '200h' }),
    /gc\.grace_perod.*no such key.*gc\.grace_period/s,
  )
})
