import { expect, test } from 'vitest'
import { layOut } from './lanes.ts'

const commits = (...lines: string[]) =>
  lines.map((line) => {
    const [sha = '', ...parents] = line.split(' ')
    return { sha, parents }
  })

test('a straight history has one lane', () => {
  expect(layOut(commits('c b', 'b a', 'a'))).toEqual([
    { lane: 0, passing: [], from: [], to: [0], below: [0] },
    { lane: 0, passing: [], from: [0], to: [0], below: [0] },
    { lane: 0, passing: [], from: [0], to: [], below: [] },
  ])
})

test('a merged branch has a lane of its own from the merge to where it began', () => {
  const rows = layOut(commits('m b y', 'y x', 'x a', 'b a', 'a'))
  expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 1, 0, 0])
  expect(rows[0]).toMatchObject({ to: [0, 1], below: [0, 1] })
  expect(rows[1]).toMatchObject({ passing: [0], from: [1], to: [1] })
  expect(rows[4]).toMatchObject({ from: [0, 1], to: [] })
})

test('a branch that a second merge takes up again joins the lane that is there', () => {
  const rows = layOut(commits('n m y', 'y x', 'm b x', 'x a', 'b a', 'a'))
  expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 1, 0, 0])
  expect(rows[2]).toMatchObject({ passing: [1], to: [0, 1] })
})

test('a lane that has ended is used again, and one whose parent is on a further page goes on', () => {
  const rows = layOut(commits('n m z', 'z m', 'm b y', 'y b'))
  expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 1])
  expect(rows[3]?.below).toEqual([0, 1])
  expect(layOut(commits('b a')).at(-1)?.below).toEqual([0])
})
