import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('nothing lies at the top of the repository by mistake', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const names = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const top = new Set(names.filter(Boolean).map((name) => name.split('/')[0]))
  expect([...top].toSorted()).toEqual([
    '.ci',
    '.gitignore',
    '.npmrc',
    '.oxfmtrc.json',
    '.oxlintrc.json',
    'LICENSE',
    'README.md',
    'api',
    'deploy',
    'docs',
    'drizzle',
    'e2e',
    'package-lock.json',
    'package.json',
    'shared',
    'tsconfig.base.json',
    'vite.config.ts',
    'web',
  ])
})
