import { describe, expect, test } from 'vitest'
import { roomFault } from './check-rooms.ts'
import { importsOf } from './imports.ts'

function faultsOf(file: string, source: string): string[] {
  return importsOf(file, source).flatMap((found) => roomFault(found) ?? [])
}

describe('a forbidden import is found', () => {
  test.each([
    [
      'up a floor',
      'api/storage/fs/fs.ts',
      `import { x } from '../../repos/index.ts'`,
      /storage\/ may not import repos\//,
    ],
    [
      'as a type alone',
      'api/git/read.ts',
      `import type { X } from '../content/index.ts'`,
      /git\/ may not import content\//,
    ],
    [
      'inside a type',
      'api/git/read.ts',
      `type X = import('../content/index.ts').X`,
      /git\/ may not import content\//,
    ],
    [
      'by a re-export',
      'api/access/index.ts',
      `export * from '../auth/index.ts'`,
      /access\/ may not import auth\//,
    ],
    ['when loaded late', 'api/db/open.ts', `await import('../jobs/index.ts')`, /db\/ may not import jobs\//],
    [
      'sideways without an edge',
      'api/namespaces/a.ts',
      `import '../repos/index.ts'`,
      /namespaces\/ may not import repos\//,
    ],
    ['past the face of a room', 'api/content/a.ts', `import '../repos/queries.ts'`, /through its index\.ts/],
    ['of HTTP by a verb', 'api/repos/rename.ts', `import './routes.ts'`, /does not know HTTP/],
    ['of http/ by a verb', 'api/repos/rename.ts', `import '../http/contract.ts'`, /./],
    ['of the hub surface', 'api/http/a.ts', `import '../hub/index.ts'`, /nobody imports hub\//],
    ['of the app', 'api/repos/a.ts', `import '../app.ts'`, /nobody imports api\/app\.ts/],
    ['of a vendor away from home', 'api/repos/a.ts', `import pg from 'pg'`, /pg lives in db\//],
    ['of hono by a verb', 'api/repos/rename.ts', `import { z } from '@hono/zod-openapi'`, /lives in http\//],
    [
      'of another feature',
      'web/features/repos/a.tsx',
      `import '../jobs/b.tsx'`,
      /features do not import each other/,
    ],
    ['of the api by the web', 'web/lib/a.ts', `import '../../api/ctx.ts'`, /shared\/ alone/],
    ['of anything by shared/', 'shared/client.ts', `import { z } from 'zod'`, /shared\/ imports nothing/],
  ])('%s', (_, file, source, message) => {
    expect(faultsOf(file, source)).toEqual([expect.stringMatching(message)])
  })
})

test.each([
  ['down the floors', 'api/repos/rename.ts', `import '../access/index.ts'; import '../config/index.ts'`],
  ['along an edge of the table', 'api/content/tree.ts', `import '../repos/index.ts'`],
  ['within a room', 'api/repos/rename.ts', `import './queries.ts'`],
  [
    'of the contract by routes',
    'api/repos/routes.ts',
    `import '../http/contract.ts'; import '../../shared/vocabulary.ts'`,
  ],
  [
    'of own verbs by handlers',
    'api/repos/handlers.ts',
    `import './rename.ts'; import '../http/env.ts'; import { Hono } from 'hono'`,
  ],
  ['of tables by the schema', 'api/db/schema.ts', `import '../repos/tables.ts'`],
  [
    'of everything by app.ts',
    'api/app.ts',
    `import './hub/index.ts'; import './repos/handlers.ts'; import { Hono } from 'hono'`,
  ],
  [
    'of everything by a test',
    'api/repos/rename.test.ts',
    `import '../testing.ts'; import '../http/contract.ts'`,
  ],
  ['of a vendor at home', 'api/db/postgres.ts', `import pg from 'pg'`],
])('an import %s is allowed', (_, file, source) => {
  expect(faultsOf(file, source)).toEqual([])
})
