import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Execution } from '../../../core/jobs/execution.ts'
import { claimOne } from '../../../core/jobs/queries.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { checkPointers, mayUse } from '../../../core/lfs/index.ts'
import { objectRow, pass, storedKeys } from '../../../core/lfs/testing.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo } from '../../repos/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import type { Io } from '../../../stores/storage/testing/fault-plan.ts'
import { givenRepo, givenUser, type World } from '../../../testing.ts'
import { acceptShard, type Acceptance } from '../accept-shard.ts'
import { hashText } from '../format/index.ts'
import {
  givenFile,
  givenShard,
  givenXorb,
  givenXorbRecord,
  Random,
  type GivenFile,
  type GivenShard,
  type GivenXorb,
} from '../format/testing.ts'
import { putXorb } from '../put-xorb.ts'
import { chunkRebuild } from '../rebuild-job.ts'
import type { ChunkWriter } from '../writer.ts'

let made = 0

/** Somebody who sends chunks for a repo, without the endpoints before the verbs. */
export class Sender {
  readonly world: World
  readonly actor: UserActor
  readonly repo: Repo
  readonly writer: ChunkWriter

  constructor(world: World, actor: UserActor, repo: Repo) {
    this.world = world
    this.actor = actor
    this.repo = repo
    this.writer = { userId: actor.id, repoId: repo.id }
  }

  /** Sends a xorb, under another hash if one is given. */
  put({ body, index }: GivenXorb, ctx: Ctx = this.ctx(), hash = hashText(index.hash)) {
    return putXorb(ctx, this.writer, hash, fromChunks(body))
  }

  accept(shard: Buffer, ctx: Ctx = this.ctx()): Promise<Acceptance> {
    return acceptShard(ctx, this.writer, fromChunks(shard))
  }

  /** Sends the manifest of these files. */
  describe(files: GivenFile[], more: Omit<GivenShard, 'files'> = {}): Promise<Acceptance> {
    return this.accept(givenShard({ files, ...more }))
  }

  /** Sends a xorb and one file of all its chunks, and puts it together. */
  async upload(xorb = freshXorb()): Promise<{ xorb: GivenXorb; file: WholeFile; sha256: string }> {
    const file = wholeFile(xorb)
    await this.put(xorb)
    await finish(this.world, await this.describe([file], { xorbs: [givenXorbRecord(xorb)] }))
    return { xorb, file, sha256: file.sha256.toString('hex') }
  }

  mayUse(sha256: string): Promise<boolean> {
    return mayUse(this.world.db, this.ctx(), sha256)
  }

  ctx(): Ctx {
    return this.world.ctx(this.actor)
  }
}

/** A new user with a repo, or for the repo of another. */
export async function givenSender(world: World, repo?: Repo): Promise<Sender> {
  const actor = await givenUser(world, `sender-${++made}`)
  return new Sender(world, actor, repo ?? (await givenRepo(world, actor)))
}

const random = new Random(20_260_301)

/** A xorb that was never sent: by default three chunks of some kilobytes. */
export function freshXorb(lengths: number[] = [9000, 5000, 2000]): GivenXorb {
  return givenXorb(lengths.map((length) => ({ plain: random.bytes(length) })))
}

export type WholeFile = GivenFile & { plain: Buffer; sha256: Buffer }

/** The file that consists of every chunk of a xorb once. */
export function wholeFile(xorb: GivenXorb): WholeFile {
  return fileOf([{ xorb, start: 0, end: xorb.index.n }])
}

/** A file of runs of chunks. */
export function fileOf(runs: Parameters<typeof givenFile>[0]): WholeFile {
  const file = givenFile(runs)
  return { ...file, sha256: Buffer.from(file.sha256 ?? expect.fail('no SHA-256')) }
}

/** Runs the jobs that put files together until none may go on; what must be tried again is, after its pause. */
export async function work(world: World, ctx: Ctx = world.ctx()): Promise<void> {
  const { jobs } = world.db.t
  const isLeft = and(eq(jobs.kind, chunkRebuild.kind), eq(jobs.status, 'queued'))
  while ((await world.db.q.$count(jobs, isLeft)) > 0) {
    await runJobs(ctx, [chunkRebuild])
    pass(world, 60_000)
  }
}

/** The last progress of an acceptance; throws what it throws. */
export async function ending(acceptance: Acceptance) {
  const steps = await stepsOf(acceptance)
  return steps.at(-1)
}

export async function stepsOf(acceptance: Acceptance) {
  const steps: { verifiedBytes: number; totalBytes: number }[] = []
  for await (const step of acceptance.watch(new AbortController().signal)) steps.push(step)
  return steps
}

/** Puts the files of an acceptance together. */
export async function finish(world: World, acceptance: Acceptance) {
  await runJobs(world.deps, [chunkRebuild])
  return ending(acceptance)
}

/** Code and text of the Problem that work fails with. */
export async function refusal(work: Promise<unknown>): Promise<[code: string, detail: string]> {
  const error: unknown = await work.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Problem)) throw error
  return [error.code, error.detail ?? '']
}

/** Whether the object of a file is stored with its bytes. */
export async function holds(world: World, { sha256, plain }: WholeFile): Promise<boolean> {
  const row = await objectRow(world, sha256.toString('hex'))
  if (!row) return false
  const chunks: Uint8Array[] = []
  for await (const chunk of await world.blobs.read(row.key)) chunks.push(chunk)
  return row.size === plain.length && Buffer.concat(chunks).equals(plain)
}

/** What a commit of this sender would be answered about a pointer to the file. */
export async function standing(
  { world, actor, repo }: Sender,
  { sha256, plain }: WholeFile,
): Promise<string> {
  const pointer = { sha256: sha256.toString('hex'), sizeBytes: plain.length }
  const { missing, completing, reasons } = await checkPointers(world.db, world.ctx(actor), repo.id, [pointer])
  if (completing.length > 0) return 'completing'
  return missing.length > 0 ? (reasons.get(pointer.sha256) ?? 'missing') : 'usable'
}

/** Everything that chunk uploads leave behind: rows by table, and keys in the store. */
export async function traces(world: World) {
  const { q, t } = world.db
  const rows = {
    xorbs: await q.select().from(t.chunk_xorbs).orderBy(t.chunk_xorbs.xorb_hash),
    sent: await q.$count(t.chunk_xorb_uploads),
    files: await q.$count(t.chunk_files),
    rebuilds: await q.$count(t.chunk_rebuilds),
    claims: await q.$count(t.chunk_rebuild_claims),
    pins: await q.$count(t.chunk_pins),
    objects: await q.$count(t.lfs_objects),
    grants: await q.$count(t.lfs_grants),
    jobs: await q.$count(t.jobs),
    deletions: await q.$count(t.blob_deletions),
  }
  const keys = await Promise.all(['xorbs/', 'shards/', 'lfs/'].map((prefix) => storedKeys(world, prefix)))
  return { ...rows, keys: keys.flat() }
}

/** An accepted shard of `n` files of one chunk each, whose job has not begun. */
export async function acceptedShard(sender: Sender, n = 1, lengthBytes = 700) {
  const xorb = freshXorb(Array.from({ length: n }, () => lengthBytes))
  const files = Array.from({ length: n }, (_, i) => fileOf([{ xorb, start: i, end: i + 1 }]))
  await sender.put(xorb)
  const [file = expect.fail('no file')] = files
  return { xorb, files, file, acceptance: await sender.describe(files) }
}

/** The job that was queued last. */
export async function lastRebuild({ db }: World) {
  const { jobs } = db.t
  const rows = await db.q.select().from(jobs).orderBy(jobs.created_at, jobs.id)
  return rows.at(-1) ?? expect.fail('no job')
}

/** A worker has taken the next job and has not begun. */
export async function claimedRebuild(world: World, ctx: Ctx = world.ctx()): Promise<Execution> {
  const { engine } = world.db
  const worker = { engine, kinds: [chunkRebuild], worker: 'test', now: world.clock.now, leaseMs: 60_000 }
  const job = await world.db.write((tx) => claimOne(tx, worker))
  return new Execution(ctx, chunkRebuild, job ?? expect.fail('no job'), async () => world.clock.now)
}

/** Whether the store is asked to take the bytes of a file in. */
export const isObjectPut = ({ operation, key }: Io) => operation === 'put' && key.startsWith('lfs/')
