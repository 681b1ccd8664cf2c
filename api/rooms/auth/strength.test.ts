import { expect, test } from 'vitest'
import { scoreOf } from './strength.ts'

const weak = { password: 'password1234', personal: [] }
const strong = { password: 'brisk-heron-vault-77', personal: [] }
const named = { password: 'ambroisette-of-mull', personal: ['ambroisette-of-mull'] }

/** The same, of somebody whom it does not name. */
const unnamed = { ...named, personal: [] }

test('passwords are judged each by itself, in a row', async () => {
  const scores: number[] = []
  for (const question of [weak, strong, named, unnamed, weak]) scores.push(await scoreOf(question))
  expect(scores).toEqual([1, 4, 0, 4, 1])
})

test('passwords are judged each by itself, beside each other', async () => {
  expect(await Promise.all([strong, weak, named].map(scoreOf))).toEqual([4, 1, 0])
})
