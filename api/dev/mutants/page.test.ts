import { expect, test } from 'vitest'
import { mutantsOf } from './mutants.ts'
import { pageOf } from './page.ts'
import type { Verdict } from './verdicts.ts'

test('the page counts what was caught by room and kind, and lists survivors apart from harmless ones', () => {
  const mutants = mutantsOf('api/core/jobs/a.ts', 'if (a) throw b\nf(3)\nawait g()')
  const outcomes: Verdict['outcome'][] = [
    'caught',
    'survived',
    'hung',
    'died',
    'survived',
    'unreached',
    'caught',
  ]
  const verdicts = Object.fromEntries(
    mutants.map(({ id }, i) => [id, { outcome: outcomes[i]!, source: '', tests: {}, ms: 0 }]),
  )
  expect(mutants.map(({ kind }) => kind)).toEqual([
    'condition always holds',
    'guard removed',
    'condition negated',
    'statement removed',
    'number changed',
    'statement removed',
    'await removed',
  ])
  const room = { name: 'api/core/jobs', possible: 70, mutants, verdicts }
  const reasons = { [mutants[4]!.id]: 'Three is as good as four.' }
  const page = pageOf([room], reasons, {
    seed: 's',
    budget: { testsMs: 1000, files: 2 },
    of: { date: '2026-11-23', commit: 'abc1234' },
  })
  expect(page).toContain('Measured on 2026-11-23, of commit abc1234.')
  expect(page).toContain('| `api/core/jobs` | 70 | 7 | 4 | 2 | 1 | 57 % | 67 % |')
  expect(page).toContain('| all | 70 | 7 | 4 | 2 | 1 | 57 % | 67 % |')
  expect(page).toContain('| statement removed | 2 | 1 | 50 % |')
  const [harmless = '', open = ''] = page.split('## Survivors that want a test')
  expect(harmless).toContain(
    `api/core/jobs/a.ts:2 (${mutants[4]!.id}): number changed, \`\` 3 \`\` → \`\` 4 \`\`. Three is`,
  )
  expect(open).toContain(`api/core/jobs/a.ts:1 (${mutants[1]!.id}): guard removed`)
  expect(open).toContain(`api/core/jobs/a.ts:3 (${mutants[5]!.id}): statement removed, \`\` await g() \`\``)
})
