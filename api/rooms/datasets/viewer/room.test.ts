import { expect, test } from 'vitest'
import { Room } from './room.ts'

const none = new AbortController().signal

/** Begins to take bytes; says whether they were given. */
function taking(room: Room, bytes: number, signal = none) {
  const state = { isGiven: false, ended: Promise.resolve() }
  state.ended = room.take(bytes, 100, signal).then(() => void (state.isGiven = true))
  return state
}
/** All that is given by now has been given. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('requests share what one may take: those for which there is no room wait in the order they came', async () => {
  const room = new Room()
  const [first, second, large, small] = [60, 40, 90, 1].map((bytes) => taking(room, bytes))
  await settle()
  expect([first, second, large, small].map((one) => one?.isGiven)).toEqual([true, true, false, false])
  room.giveBack(60)
  await settle()
  // The small one would fit; it does not overtake.
  expect([large?.isGiven, small?.isGiven]).toEqual([false, false])
  room.giveBack(40)
  await settle()
  expect([large?.isGiven, small?.isGiven]).toEqual([true, true])
})

test('what is larger than the limit is taken alone', async () => {
  const room = new Room()
  const whole = taking(room, 500)
  await settle()
  const next = taking(room, 1)
  await settle()
  expect([whole.isGiven, next.isGiven]).toEqual([true, false])
  room.giveBack(500)
  await next.ended
})

test('who leaves while waiting makes way, and what they would have held is free', async () => {
  const room = new Room()
  await taking(room, 80).ended
  const leaving = new AbortController()
  const left = taking(room, 90, leaving.signal)
  const next = taking(room, 20)
  await settle()
  expect(next.isGiven).toBe(false)
  leaving.abort(new Error('gone'))
  await expect(left.ended).rejects.toThrow('gone')
  await next.ended
  room.giveBack(80)
  room.giveBack(20)
  await taking(room, 100).ended
})
