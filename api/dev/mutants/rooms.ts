import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What is measured, each a folder of the repository. */
export const measured = [
  'api/core/access',
  'api/rooms/auth',
  'api/rooms/chunk',
  'api/rooms/content',
  'api/core/git',
  'api/core/jobs',
  'api/core/lfs',
  'api/stores/storage',
  'api/rooms/uploads',
  'api/rooms/webhooks',
  'shared',
]

const isTest = (file: string) => file.endsWith('.test.ts')
const isHelper = (file: string) => /(^|\/)testing(\/|\.ts$)/.test(file)
const isWritten = (file: string) => !/\.(gen|d)\.ts$/.test(file)

function typescriptBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(folder, file))
    .sort()
}

/** The files of a room in which faults are made: what is neither test, nor helper of tests, nor generated. */
export const sourcesOf = (root: string, room: string): string[] =>
  typescriptBelow(root, room).filter((file) => !isTest(file) && !isHelper(file) && isWritten(file))

/** The tests that are asked. Those of `dev/` test the tools. */
export const testsIn = (root: string): string[] =>
  ['api', 'shared']
    .flatMap((folder) => typescriptBelow(root, folder))
    .filter((file) => isTest(file) && !file.startsWith('api/dev/'))
