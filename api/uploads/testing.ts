import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { newId } from '../db/index.ts'
import { linkPointers, type SweepRun } from '../lfs/index.ts'
import { createRepo, requireRepo, type NewRepo, type Repo } from '../repos/index.ts'
import { FaultyBlobStore, fromChunks, type FaultPlan } from '../storage/index.ts'
import type { World } from '../testing.ts'
import { insertUpload, type UploadRow } from './queries.ts'
import { storeObject } from './store-object.ts'

/** Content that nobody else has, with its SHA-256. */
export interface Content {
  bytes: Buffer
  sha256: string
  sizeBytes: number
}

export const contentOf = (bytes: Buffer): Content => ({
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sizeBytes: bytes.length,
})

export const givenContent = (sizeBytes = 1000): Content => contentOf(randomBytes(sizeBytes))

/** A Repo made by `owner` in their own Namespace unless told otherwise. */
export async function givenRepo(
  world: World,
  owner: UserActor,
  name: string,
  more: Partial<NewRepo> = {},
): Promise<Repo> {
  const wanted = { type: 'model' as const, ns: owner.username, name, ...more }
  await createRepo(world.ctx(owner), wanted)
  return requireRepo(world.ctx(owner), wanted, 'repo.read')
}

/** An object that `owner` has uploaded to the Repo. */
export async function givenObject(
  world: World,
  owner: UserActor,
  repo: Repo,
  content = givenContent(),
): Promise<Content> {
  const where = { repoId: repo.id, userId: owner.id }
  await storeObject(world.ctx(owner), where, content, fromChunks(content.bytes))
  return content
}

/** Makes a Pointer to the content reachable in the Repo, as a commit does. */
export async function givenLink(world: World, repo: Repo, content: Content): Promise<void> {
  const missing = await world.db.write((tx) => linkPointers(tx, repo.id, [content], world.clock.now))
  if (missing.length > 0) throw new Error('the object of the link is not stored')
}

/** An Upload's row as it would be after a plan, changed as told. */
export async function givenUpload(
  world: World,
  repo: Repo,
  owner: UserActor,
  { sha256, sizeBytes }: Pick<Content, 'sha256' | 'sizeBytes'>,
  more: Partial<UploadRow> = {},
): Promise<UploadRow> {
  return world.db.write((tx) =>
    insertUpload(tx, {
      id: newId(),
      repo_id: repo.id,
      user_id: owner.id,
      sha256,
      size: sizeBytes,
      status: 'open',
      part_size: 16 * 1024 * 1024,
      attempt: 0,
      created_at: world.clock.now,
      expires_at: new Date(world.clock.now.getTime() + hours(168)),
      ...more,
    }),
  )
}

/** The same context over a store that goes wrong by plan, or tells what it is asked. */
export const overFaulty = (ctx: Ctx, plan: FaultPlan): Ctx => ({
  ...ctx,
  blobs: new FaultyBlobStore(ctx.blobs, plan),
})

/** Operations that a run of `work` asks of the store, in order, without keys. */
export async function storeCalls(ctx: Ctx, work: (ctx: Ctx) => Promise<unknown>): Promise<string[]> {
  const calls: string[] = []
  await work(
    overFaulty(ctx, ({ operation }) => {
      calls.push(operation)
      return undefined
    }),
  )
  return calls
}

/** A sweep's surroundings outside a Job. */
export const sweepRun = (world: World, dryRun = false): SweepRun => ({
  dryRun,
  signal: new AbortController().signal,
  write: (change) => world.db.write(change),
})

/** Lets time pass. */
export function pass(world: World, ms: number): void {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}

export const hours = (n: number): number => n * 3_600_000

/** Every key in the store. */
export async function storedKeys(world: World, prefix = ''): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of world.blobs.list(prefix)) keys.push(key)
  return keys.toSorted()
}

export async function objectRow(world: World, sha256: string) {
  const { lfs_objects: o } = world.db.t
  const [row] = await world.db.q.select().from(o).where(eq(o.sha256, sha256))
  return row
}
