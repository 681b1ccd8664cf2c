import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { StoreError } from '../../stores/storage/index.ts'
import { FaultyBlobStore } from '../../stores/storage/testing/faulty.ts'
import type { FaultPlan } from '../../stores/storage/testing/fault-plan.ts'
import type { World } from '../../testing.ts'
import type { SweepRun } from '../sweep.ts'
import { gcJob } from './index.ts'

export { namedKeys } from './named-keys.ts'

/** Content that exists nowhere else, with its SHA-256. */
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

/** Content as a batch names it. */
export const asked = ({ sha256, sizeBytes }: Pick<Content, 'sha256' | 'sizeBytes'>) => ({
  oid: sha256,
  size: sizeBytes,
})

/** How work ended: `ok`, the code of a Problem, or the kind of a store error. */
export const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: unknown) =>
      error instanceof Problem ? error.code : error instanceof StoreError ? `store: ${error.kind}` : error,
  )

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

/** A sweep's surroundings outside a job. */
export const sweepRun = (world: World, dryRun = false): SweepRun => ({
  dryRun,
  signal: new AbortController().signal,
  write: (change) => world.db.write(change),
})

const kind = gcJob([])

/** Runs the `gc` job's work once, as a worker would. */
export function collect(
  world: World,
  { dryRun = false, ctx = world.ctx() }: { dryRun?: boolean; ctx?: Ctx } = {},
): Promise<Record<string, Record<string, unknown>>> {
  const job = {
    id: 'job',
    attempt: 1,
    progress: async () => undefined,
    admitEqual: async () => undefined,
    workOn: async () => undefined,
    log: () => undefined,
    ...sweepRun(world, dryRun),
  }
  return kind.run(ctx, { dry_run: dryRun }, job) as Promise<Record<string, Record<string, unknown>>>
}

/** Lets time pass. */
export function pass(world: World, ms: number): void {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}

export const hours = (n: number): number => n * 3_600_000

/** Every key in the store below a prefix. */
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
