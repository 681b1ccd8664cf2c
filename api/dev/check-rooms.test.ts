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
      'api/stores/storage/fs/fs.ts',
      `import { x } from '../../../rooms/repos/index.ts'`,
      /storage\/ may not import repos\//,
    ],
    [
      'of tables by db/',
      'api/stores/db/schema.ts',
      `import '../../rooms/repos/tables.ts'`,
      /enter repos\/ through its index/,
    ],
    [
      'as a type alone',
      'api/core/git/read.ts',
      `import type { X } from '../../rooms/content/index.ts'`,
      /git\/ may not import content\//,
    ],
    [
      'inside a type',
      'api/core/git/read.ts',
      `type X = import('../../rooms/content/index.ts').X`,
      /git\/ may not import content\//,
    ],
    [
      'by a re-export',
      'api/core/access/index.ts',
      `export * from '../../rooms/auth/index.ts'`,
      /access\/ may not import auth\//,
    ],
    [
      'when loaded late',
      'api/stores/db/open.ts',
      `await import('../../core/jobs/index.ts')`,
      /db\/ may not import jobs\//,
    ],
    [
      'sideways without an edge',
      'api/rooms/namespaces/a.ts',
      `import '../repos/index.ts'`,
      /namespaces\/ may not import repos\//,
    ],
    [
      'past the face of a room',
      'api/rooms/content/a.ts',
      `import '../repos/queries.ts'`,
      /through its index\.ts/,
    ],
    ['of HTTP by a verb', 'api/rooms/repos/rename.ts', `import './routes.ts'`, /does not know HTTP/],
    ['of http/ by a verb', 'api/rooms/repos/rename.ts', `import '../../core/http/contract.ts'`, /./],
    [
      'of the hub surface',
      'api/core/http/a.ts',
      `import '../../surfaces/hub/index.ts'`,
      /only app.ts imports hub\//,
    ],
    [
      'of the app',
      'api/rooms/repos/a.ts',
      `import '../../app/app.ts'`,
      /only main.ts, app\/, dev\/ and tests import api\/app\/app.ts/,
    ],
    ['of a vendor away from home', 'api/rooms/repos/a.ts', `import pg from 'pg'`, /pg lives in db\//],
    [
      'of hono by a verb',
      'api/rooms/repos/rename.ts',
      `import { z } from '@hono/zod-openapi'`,
      /lives in http\//,
    ],
    [
      'of another feature',
      'web/features/repos/a.tsx',
      `import '../jobs/b.tsx'`,
      /features do not import each other/,
    ],
    ['of the api by the web', 'web/lib/a.ts', `import '../../api/core/ctx.ts'`, /shared\/ alone/],
    ['of anything by shared/', 'shared/client.ts', `import { z } from 'zod'`, /shared\/ imports nothing/],
  ])('%s', (_, file, source, message) => {
    expect(faultsOf(file, source)).toEqual([expect.stringMatching(message)])
  })
})

test.each([
  [
    'down the floors',
    'api/rooms/repos/rename.ts',
    `import '../../core/access/index.ts'; import '../../platform/config/index.ts'`,
  ],
  ['along an edge of the table', 'api/rooms/content/read/tree.ts', `import '../../repos/index.ts'`],
  ['within a room', 'api/rooms/repos/rename.ts', `import './queries.ts'`],
  [
    'of the contract by routes',
    'api/rooms/repos/routes.ts',
    `import '../../core/http/contract.ts'; import '../../../shared/vocabulary.ts'`,
  ],
  [
    'of own verbs by handlers',
    'api/rooms/repos/handlers.ts',
    `import './rename.ts'; import '../../core/http/env.ts'; import { Hono } from 'hono'`,
  ],
  ['of tables by the schema', 'api/app/schema.ts', `import '../rooms/repos/tables.ts'`],
  [
    'of everything by app.ts',
    'api/app/app.ts',
    `import '../surfaces/hub/index.ts'; import '../rooms/repos/handlers.ts'; import { Hono } from 'hono'`,
  ],
  [
    'of everything by a test',
    'api/rooms/repos/rename.test.ts',
    `import '../../testing.ts'; import '../../core/http/contract.ts'`,
  ],
  ['of a vendor at home', 'api/stores/db/postgres.ts', `import pg from 'pg'`],
])('an import %s is allowed', (_, file, source) => {
  expect(faultsOf(file, source)).toEqual([])
})
