import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { system, type Actor } from '../core/access/index.ts'
import { Config } from '../platform/config/index.ts'
import type { Ctx, Deps } from '../core/ctx.ts'
import { openDb, type Db } from '../stores/db/index.ts'
import type { App } from '../core/http/env.ts'
import { nativeBase } from '../core/http/surface.ts'
import type { ErrorSurface, Mount } from '../core/http/surface.ts'
import { frame, nativeSurface } from '../surfaces/server/frame.ts'
import { Git } from '../core/git/index.ts'
import { changeListeners, refListeners } from '../app/housekeeping.ts'
import { secretsFrom } from '../platform/secrets/index.ts'
import { openBlobStore, type BlobStore } from '../stores/storage/index.ts'
import { MemoryBlobStore } from '../stores/storage/testing/memory.ts'
import { givenBucket, s3Keys, s3Servers, type S3Server } from '../stores/storage/testing/s3-servers.ts'
import { createLogger, noTelemetry, type Logger } from '../platform/telemetry/index.ts'
import { postgresUrl, releasePostgresDatabase, takePostgresDatabase } from './postgres.ts'
import { schema } from '../app/schema.ts'
import { giveSqliteDatabase } from './sqlite.ts'

/** A whole server's stores for one test file, opened before its tests and removed after them. */
export interface World {
  readonly engine: 'sqlite' | 'postgres'
  readonly deps: Deps
  readonly db: Db
  readonly blobs: BlobStore
  /** A folder of this world's own. */
  readonly dir: string
  /** A verb's context for `actor`; the server itself when left out. */
  ctx(actor?: Actor): Ctx
  /** What the clock says; advance it to let time pass. */
  clock: { now: Date }
}

/** The configuration tests run with: quick-start values below `dir`. */
export function testConfig(dir: string, overrides: Record<string, Record<string, unknown>> = {}): Config {
  const values: Record<string, Record<string, unknown>> = {
    server: { public_url: 'http://localhost:8080', data_dir: dir },
    database: { dsn: join(dir, 'test.db') },
    storage: { fs: { path: join(dir, 'blobs') } },
    git: { cache_dir: join(dir, 'git-cache') },
  }
  for (const [section, keys] of Object.entries(overrides)) values[section] = { ...values[section], ...keys }
  return Config.parse(values)
}

/** Where the bytes of a world lie: a server of S3, and whether clients are sent there. */
export interface S3Place {
  server: S3Server
  download_mode: 'redirect' | 'proxy'
  upload_mode: 'direct' | 'proxy'
}

async function openBlobs(
  place: S3Place | undefined,
  dir: string,
  database: { driver: string; dsn: string },
): Promise<{ config: Config; blobs: BlobStore }> {
  if (!place) return { config: testConfig(dir, { database }), blobs: new MemoryBlobStore() }
  const { server, ...modes } = place
  await givenBucket(server)
  const s3 = { ...s3Keys(server.url), ...modes }
  const config = testConfig(dir, { database, storage: { backend: 's3', s3 } })
  return { config, blobs: await openBlobStore(config.storage) }
}

/** A memory blob store unless a place is given, and a fresh key, over `db`. */
async function depsOver(
  db: Db,
  {
    dir,
    dsn,
    clock,
    place,
    log,
  }: { dir: string; dsn: string; clock: { now: Date }; place: S3Place | undefined; log: Logger },
): Promise<Deps> {
  const stores = {
    ...(await openBlobs(place, dir, { driver: db.engine, dsn })),
    db,
    log,
    telemetry: noTelemetry,
    now: () => clock.now,
    stopping: new AbortController().signal,
  }
  return {
    ...stores,
    changeListeners,
    git: new Git({ ...stores, refListeners }),
    secrets: secretsFrom([randomBytes(32).toString('base64')]),
  }
}

/** Adds to the report of a failed test what the server logged during it: an answer of 500 does not say why. */
function reportedLog(): Logger {
  const lines: string[] = []
  beforeEach(() => void lines.splice(0))
  afterEach(({ task }) => {
    if (task.result?.state === 'fail' && lines.length > 0)
      throw new Error(`The server logged: ${lines.join('')}`)
  })
  return createLogger({ level: 'error', format: 'json', write: (line) => lines.push(line) })
}

function originOfTests() {
  return { requestId: randomUUID(), ip: '127.0.0.1', userAgent: 'vitest', baseUrl: 'http://localhost:8080' }
}

function describeWorld(
  title: string,
  engine: 'sqlite' | 'postgres',
  body: (world: World) => void,
  place?: S3Place,
): void {
  describe(`${title} (${engine}${place ? `, ${place.server.name}` : ''})`, () => {
    let deps: Deps | undefined
    let dir = ''
    let url = ''
    const log = reportedLog()
    const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
    const opened = (): Deps => {
      if (!deps) throw new Error('the world opens before the first test; use it inside tests and hooks only')
      return deps
    }
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'arsenal-test-'))
      const dsn =
        engine === 'sqlite'
          ? await giveSqliteDatabase(join(dir, 'test.db'))
          : (url = await takePostgresDatabase(postgresUrl ?? ''))
      const db = await openDb({ driver: engine, dsn, max_open_conns: 10 }, schema)
      deps = await depsOver(db, { dir, dsn, clock, place, log })
    })
    afterAll(async () => {
      await deps?.git.close()
      await deps?.blobs.close()
      await deps?.db.close()
      if (url) await releasePostgresDatabase(url)
      await rm(dir, { recursive: true, force: true })
    })
    body({
      engine,
      get deps() {
        return opened()
      },
      get db() {
        return opened().db
      },
      get blobs() {
        return opened().blobs
      },
      get dir() {
        return dir
      },
      clock,
      ctx: (actor = system) => ({ ...opened(), actor, origin: originOfTests(), signal: opened().stopping }),
    })
  })
}

/**
 * Runs the tests on SQLite and, where `npm test` has started a server (`ARSENAL_TEST_POSTGRES`), on Postgres too, each
 * on a database of its own.
 */
export function eachDatabase(title: string, body: (world: World) => void): void {
  describeWorld(title, 'sqlite', body)
  if (postgresUrl) describeWorld(title, 'postgres', body)
}

/** Runs the tests on SQLite alone: for what is read in files, of which the database keeps the result. */
export function oneDatabase(title: string, body: (world: World) => void): void {
  describeWorld(title, 'sqlite', body)
}

/** As `eachDatabase`, and on SQLite with each S3 server that `npm test` has started (`ARSENAL_TEST_S3`), bytes passing through us. */
export function eachStore(title: string, body: (world: World) => void): void {
  eachDatabase(title, body)
  const modes = { download_mode: 'proxy', upload_mode: 'proxy' } as const
  for (const server of s3Servers) describeWorld(title, 'sqlite', body, { server, ...modes })
}

/** On SQLite with each S3 server, which is left to serve downloads itself. */
export function eachRedirectingStore(title: string, body: (world: World) => void): void {
  const modes = { download_mode: 'redirect', upload_mode: 'proxy' } as const
  for (const server of s3Servers) describeWorld(title, 'sqlite', body, { server, ...modes })
}

/** On SQLite with each S3 server, which senders put their bytes into by themselves. */
export function eachDirectStore(title: string, body: (world: World) => void): void {
  const modes = { download_mode: 'redirect', upload_mode: 'direct' } as const
  for (const server of s3Servers) describeWorld(title, 'sqlite', body, { server, ...modes })
}

/** A server of the given rooms alone over a world: `native` mounts below `nativeBase`, `root` at the root. */
export function appOf(
  world: World,
  rooms: { native?: Mount[]; root?: Mount[] },
  surfaces: ErrorSurface[] = [],
): App {
  const app = frame(world.deps, surfaces)
  app.route(nativeBase, nativeSurface(rooms.native ?? []))
  for (const mount of rooms.root ?? []) mount(app)
  return app
}
