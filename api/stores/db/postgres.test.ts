import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../../core/jobs/index.ts'
import { retryJob } from '../../core/jobs/retry.ts'
import { wakeAll } from '../../core/jobs/wake.ts'
import { silentLogger } from '../../platform/telemetry/index.ts'
import { joinServers, KeyDiffers, newId, openDb, readProblem, type Db, type Tx } from './index.ts'
import { schema } from '../../app/schema.ts'

const adminUrl = process.env['ARSENAL_TEST_POSTGRES'] ?? ''

/** Somebody who operates on the same server. */
async function asOperator(statement: string, values: unknown[] = [], url = adminUrl): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await (values.length > 0 ? client.query(statement, values) : client.query(statement))
  await client.end()
}

/** From now on a transaction that lists the key `cut` ends with its connection, when it commits. */
const cutsAtCommit = `
  CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON blob_deletions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.key = 'cut') EXECUTE FUNCTION cut()`

/** Cuts every connection that claims to serve this database. */
const cutClaims = `
  SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

async function givenDatabase(): Promise<string> {
  const name = `processes_${newId().replaceAll('-', '')}`
  await asOperator(`CREATE DATABASE ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

const dropDatabase = (url: string) =>
  asOperator(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)

const again = defineJob({
  kind: 'test.again',
  input: z.strictObject({}),
  maxAttempts: 1,
  title: () => 'Again',
  run: async () => undefined,
})

const opened = (dsn: string) => openDb({ driver: 'postgres', dsn, max_open_conns: 3 }, schema)

/**
 * Ends the connection of a transaction, and has its client notice: else COMMIT might be on its way before, whose outcome is
 * unknown. The answer comes once the backend has ended, so that its last message is there to be read in the next turn.
 */
async function cutOff({ q }: Tx): Promise<void> {
  const [row] = await q.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(select 1) as one`)
  await asOperator('SELECT pg_terminate_backend($1, 10000)', [row?.pid])
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe.skipIf(adminUrl === '')('several processes on one Postgres', () => {
  let url = ''
  let db: Db
  beforeAll(async () => {
    url = await givenDatabase()
    db = await opened(url)
  })
  afterAll(async () => {
    await db.close()
    await dropDatabase(url)
  })

  const addDeletion = (key: string) =>
    db.write(({ q, t }) => q.insert(t.blob_deletions).values({ key, at: new Date() }))
  const countOf = (key: string) => db.q.$count(db.t.blob_deletions, eq(db.t.blob_deletions.key, key))

  test('starters at once migrate an empty database once', async () => {
    const empty = await givenDatabase()
    const starters = await Promise.all(Array.from({ length: 4 }, () => opened(empty)))
    expect(await Promise.all(starters.map(({ q, t }) => q.$count(t.repos)))).toEqual([0, 0, 0, 0])
    await Promise.all(starters.map((starter) => starter.close()))
    await dropDatabase(empty)
  })

  test.each([
    ['among its statements', true],
    ['before its COMMIT', false],
  ])('a connection cut inside a transaction, %s, costs a repetition, not the change', async (_, isEarly) => {
    const key = newId()
    let runs = 0
    await db.write(async (tx) => {
      const isCut = ++runs === 1
      if (isCut && isEarly) await cutOff(tx)
      await tx.q.insert(tx.t.blob_deletions).values({ key, at: new Date() })
      if (isCut) await cutOff(tx)
    })
    expect(runs).toBe(2)
    expect(await countOf(key)).toBe(1)
  })

  test('a connection cut each time is a database that is busy; no connection is used up by it', async () => {
    for (let round = 0; round < 4; round++)
      await expect(db.write(cutOff)).rejects.toMatchObject({ code: 'database-busy', retryAfterS: 1 })
    const keys = Array.from({ length: 12 }, newId)
    await Promise.all(keys.map(addDeletion))
    expect(await Promise.all(keys.map(countOf))).toEqual(keys.map(() => 1))
  })

  test('a connection lost during COMMIT is an error without a retry: the change may be made', async () => {
    await asOperator(cutsAtCommit, [], url)
    let runs = 0
    const committing = db.write(async ({ q, t }) => {
      runs++
      await q.insert(t.blob_deletions).values({ key: 'cut', at: new Date() })
    })
    await expect(committing).rejects.toMatchObject({ code: 'database-busy' })
    expect(runs).toBe(1)
  })

  test('two changes that wait for each other are untied, and both are made', async () => {
    const keys = [newId(), newId()]
    for (const key of keys) await addDeletion(key)
    let waiting = 0
    const touch = (order: string[]) =>
      db.write(async ({ q, t: { blob_deletions: d } }) => {
        for (const key of order) {
          await q
            .update(d)
            .set({ at: new Date(0) })
            .where(eq(d.key, key))
          waiting++
          await expect.poll(() => waiting).toBeGreaterThan(1)
        }
      })
    await expect(Promise.all([touch(keys), touch(keys.toReversed())])).resolves.toHaveLength(2)
  })

  test('a permanent failure is passed on unchanged', async () => {
    const failing = db.write(async ({ q, t }) => {
      await q.insert(t.blob_deletions).values({ key: 'x', at: new Date() })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await countOf('x')).toBe(0)
  })

  const join = (keyTag: string, onWork = () => {}) =>
    joinServers(url, { keyTag, onWork, log: silentLogger() })
  const refused = (keyTag: string) =>
    join(keyTag).then(
      (leave) => leave().then(() => 'joined'),
      (error: Error) => error.name,
    )

  test('servers of one key may be many; one of another key is refused while they live', async () => {
    const [first, second] = [await join('a1b2c3d4'), await join('a1b2c3d4')]
    await first()
    await expect(join('f1b2c3d4')).rejects.toThrow(KeyDiffers)
    await second()
    await expect.poll(() => refused('f1b2c3d4')).toBe('joined')
  })

  test('a server whose claim was cut off makes it again, and hears of work again', async () => {
    let heard = 0
    const leave = await join('a1b2c3d4', () => heard++)
    for (let cuts = 1; cuts <= 2; cuts++) {
      await asOperator(cutClaims, [], url)
      // It may have missed something.
      await expect.poll(() => heard).toBe(2 * cuts - 1)
      expect(await refused('f1b2c3d4')).toBe('KeyDiffers')
      await db.write((tx) => wakeAll(tx, db))
      await expect.poll(() => heard).toBe(2 * cuts)
    }
    await asOperator(cutClaims, [], url)
    await leave()
    expect(await refused('f1b2c3d4')).toBe('joined')
  })

  test('a job queued by one process is heard of by the others, once it is there', async () => {
    let heard = 0
    const leave = await join('a1b2c3d4', () => heard++)
    await db.write(async (tx) => {
      await wakeAll(tx, db)
      await db.q.$count(db.t.jobs)
      expect(heard).toBe(0)
    })
    await expect.poll(() => heard).toBe(1)
    await leave()
  })

  test('so is one that is to be tried again', async () => {
    const auth = { kind: 'session' as const, sessionId: '', expiresAt: new Date(), confirmedAt: new Date() }
    const actor = {
      kind: 'user' as const,
      id: newId(),
      username: 'root',
      isAdmin: true,
      roles: new Map(),
      auth,
    }
    const ctx = { db, now: () => new Date(), actor }
    const { id } = await db.write((tx) => enqueue(tx, ctx, again, {}))
    await db.write(({ q, t: { jobs } }) => q.update(jobs).set({ status: 'failed' }).where(eq(jobs.id, id)))
    let heard = 0
    const leave = await join('a1b2c3d4', () => heard++)
    await retryJob(ctx, [again], id)
    await expect.poll(() => heard).toBe(1)
    await leave()
  })

  test('a process that is busy and listens has no more connections than it may', async () => {
    const leave = await join('a1b2c3d4')
    const sleep = () => db.q.select({ slept: sql`pg_sleep(0.2)` }).from(sql`(select 1) as one`)
    const busy = Promise.all(Array.from({ length: 8 }, sleep))
    const open = sql<number>`(select count(*)::int from pg_stat_activity where application_name = 'arsenal'
      and datname = current_database())`
    const [row] = await db.q.select({ open }).from(sql`(select 1) as one`)
    expect(row?.open).toBe(3)
    await busy
    await leave()
  })

  test('work that outlives its process meets a database that is busy', async () => {
    const closed = await opened(url)
    await closed.close()
    const late = closed.write(({ q, t }) => q.$count(t.jobs))
    await expect(late).rejects.toMatchObject({ code: 'database-busy' })
    const read = Promise.resolve(closed.q.$count(closed.t.jobs))
    expect(await read.then(() => undefined, readProblem)).toMatchObject({ code: 'database-busy' })
  })
})

test('a missing database is reported at once', async () => {
  const dsn = 'postgres://nobody@127.0.0.1:1/nowhere'
  await expect(opened(dsn)).rejects.toThrow('ECONNREFUSED')
})
