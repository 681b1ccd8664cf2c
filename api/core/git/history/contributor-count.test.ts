import { expect, test } from 'vitest'
import { ContributorCount, sizeOfContributors } from './contributor-count.ts'

const at = (second: number) => new Date(1.7e12 + second * 1000)
const by = (name: string, email: string, second = 0) => ({ name, email, at: at(second) })

test('people are kept apart by account, else by address, and those with the most commits come first', () => {
  const count = new ContributorCount()
  const commits = [
    { ...by('Ada', 'ada@example.org', 9), userId: 'u1' },
    by('Bob B.', 'Bob@example.org', 8),
    by('bob', 'bob@example.org', 3),
    { ...by('Ada Lovelace', 'other@example.org', 2), userId: 'u1' },
    by('Bob', 'bob@EXAMPLE.org', 5),
    // The address of an account's commits leads to no account.
    by('Ada', 'ada@example.org', 4),
  ]
  for (const commit of commits) expect(count.add(commit)).toBe(true)
  expect(count.result(false)).toEqual({
    people: [
      { name: 'Bob B.', commits: 3, firstAt: at(3), lastAt: at(8) },
      { name: 'Ada', userId: 'u1', commits: 2, firstAt: at(2), lastAt: at(9) },
      { name: 'Ada', commits: 1, firstAt: at(4), lastAt: at(4) },
    ],
    total: 3,
    commits: 6,
    isPartial: false,
  })
})

test('names show no address and are cut between characters; those without an address are people of their own', () => {
  const count = new ContributorCount()
  const names = ['ada@example.org', 'Ada <x@y.z>', '@example.org', '', `${'x'.repeat(199)}😀`]
  for (const [i, name] of names.entries()) count.add(by(name, '', -i))
  const shown = count.result(false).people.map(({ name }) => name)
  expect(shown).toEqual(['ada', 'Ada <x', 'unknown', 'unknown', 'x'.repeat(199)])
})

test('100 are listed of those that are counted, 20 000 at most', () => {
  const count = new ContributorCount()
  for (let i = 0; i < 20_000; i++) expect(count.add(by('N', `${i}@x`))).toBe(true)
  expect(count.add(by('N', 'more@x'))).toBe(false)
  expect(count.add(by('N', '7@x'))).toBe(true)
  const result = count.result(true)
  expect(result).toMatchObject({ total: 20_000, commits: 20_001, isPartial: true })
  expect(result.people).toHaveLength(100)
  expect(result.people[0]).toMatchObject({ commits: 2 })
  expect(sizeOfContributors(result)).toBeLessThan(40_000)
})
