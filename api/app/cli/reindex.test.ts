import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../stores/db/index.ts'
import { schema } from '../schema.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-reindex-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function arsenal(...words: string[]) {
  let err = ''
  const status = await run([...words, '--quick-start', folder], {
    env: { SERVICE_TELEMETRY_LOG_LEVEL: 'error' },
    out: () => undefined,
    err: (text) => (err += text),
  })
  return { status, err }
}

/** Adds a repo whose files were read, and answers what is known of it and which jobs there are. */
async function withDb<T>(use: (db: Awaited<ReturnType<typeof openDb>>) => Promise<T>): Promise<T> {
  const db = await openDb({ driver: 'sqlite', dsn: join(folder, 'service.db'), max_open_conns: 1 }, schema)
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}

test('reindex has a server read the files of repos once more, once', async () => {
  expect((await arsenal('user', 'create', 'ada')).status).toBe(0)
  const at = new Date()
  await withDb((db) =>
    db.write(async ({ q, t }) => {
      const [ada] = await q.select().from(t.namespaces)
      for (const name of ['one', 'two']) {
        const names = { id: name, name, name_key: name, full_key: `ada/${name}`, address_key: name }
        const facts = {
          visibility: 'public' as const,
          default_branch: 'main',
          discussions_enabled: true,
          likes: 0,
        }
        const times = { created_at: at, updated_at: at }
        await q
          .insert(t.repos)
          .values({ type: 'model', namespace_id: ada?.id ?? '', ...names, ...facts, ...times })
        const head = { repo_id: name, type: 'model' as const, bytes: 0, files: 0 }
        await q.insert(t.repo_heads).values({ ...head, index_status: 'ready', index_version: 1_000_000 })
      }
    }),
  )
  const versions = () =>
    withDb(async ({ q, t }) =>
      Object.fromEntries(
        (await q.select().from(t.repo_heads)).map(({ repo_id, index_version }) => [repo_id, index_version]),
      ),
    )
  expect(await arsenal('reindex', '--repo', 'ada/one')).toMatchObject({
    status: 0,
    err: expect.stringContaining('Queued'),
  })
  expect(await versions()).toEqual({ one: 0, two: 1_000_000 })
  expect((await arsenal('reindex')).status).toBe(0)
  expect(await versions()).toEqual({ one: 0, two: 0 })
  const queued = await withDb(async ({ q, t }) => (await q.select().from(t.jobs)).map(({ kind }) => kind))
  expect(queued).toEqual(['repo.reindex'])
  expect(await arsenal('reindex', '--repo', 'ada/none')).toMatchObject({ status: 2 })
})
