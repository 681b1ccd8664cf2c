import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTarget, statusOfSignIn } from './target.mjs'
import { dial, hangUp } from './wire.mjs'

const SOCKETS = 3000
/** A quarter of 8192, the most that one address has. */
const SHARE = 2048
let target

before(async () => {
  target = await openTarget()
})
after(() => target?.stop())

test('3 000 idle sockets from one address leave others served, and are limited to their share', async () => {
  await target.withstand(async () => {
    const sockets = []
    // The kernel holds 511 connections until they are accepted, and drops what comes beyond without telling anybody.
    for (let i = 0; i < SOCKETS; i += 100)
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => dial(target.port)))))
    // Without a reader the end of a connection goes unnoticed.
    for (const socket of sockets) socket.resume()
    const open = () => sockets.filter((socket) => !socket.closed).length
    for (let waits = 0; open() > SHARE && waits < 100; waits++) await pause(200)
    // A connection or two of this process were open before.
    assert.ok(open() <= SHARE && open() > SHARE - 10, `${open()} connections are open`)
    assert.equal(await statusOfSignIn(target.url, '127.0.0.2'), 401)
    await pause(2000)
    await hangUp(sockets)
  })
  assert.equal((await fetch(`${target.url}/readyz`)).status, 200)
})
