import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { inBatches, newId, UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { enqueue } from '../../core/jobs/index.ts'
import { discardKeys, grantObjects, keepKeys, touch } from '../../core/lfs/index.ts'
import { requirePendingQuota } from '../repos/index.ts'
import { isLiveRepo, repoDeleted } from '../uploads/index.ts'
import { unknownXorb, type ShardValidation } from './validate-shard.ts'
import { activeRebuilds, findXorbsByHash, touchXorbs, type RebuildRow } from './queries.ts'
import { chunkRebuild } from './rebuild-job.ts'
import type { DescribedFile } from './threads/messages.ts'
import { contentOf, findUsableContents, namesOf } from './usable-contents.ts'
import type { ChunkWriter } from './writer.ts'

/** What the acceptance of a shard leaves to be done. */
export interface Registered {
  /** The rebuilds to wait for. */
  rebuilds: { id: string; sizeBytes: number }[]
  /** Blob keys that are not needed. */
  unused: string[]
}

/**
 * What one user's rebuild of a content is known by until it ends. Another user's is not joined, since no job of their own
 * would tell them that somebody sends the same.
 */
const activeKeyOf =
  ({ userId }: ChunkWriter) =>
  (file: DescribedFile) =>
    `${userId}/${contentOf(file)}`

/** How often the same contents may come at the same moment, once from each of several shards. */
const MAX_TURNS = 10

/**
 * Makes a verified shard the job that puts its files together, in one transaction: contents the writer may use already are
 * granted at once, those being rebuilt for them get one more claim, and the xorbs of the others are pinned.
 */
export async function registerShard(
  ctx: Ctx,
  writer: ChunkWriter,
  shardKey: string,
  validation: Pick<ShardValidation, 'files' | 'xorbs'>,
): Promise<Registered> {
  for (let turn = 1; ; turn++)
    try {
      return await ctx.db.write((tx) => registerOnce(tx, ctx, writer, shardKey, validation))
    } catch (error) {
      // Another shard began the same content meanwhile: now there is a rebuild to join.
      if (!(error instanceof UniqueViolation) || turn === MAX_TURNS) throw error
    }
}

async function registerOnce(
  tx: Tx,
  ctx: Ctx,
  writer: ChunkWriter,
  shardKey: string,
  { files, xorbs }: Pick<ShardValidation, 'files' | 'xorbs'>,
): Promise<Registered> {
  if (!(await isLiveRepo(tx, writer.repoId))) throw repoDeleted()
  await touchXorbs(tx, ctx, xorbs.keys())
  await requireXorbs(tx, [...xorbs.keys()])
  await holdRebuilds(tx, [...files.values()].map(activeKeyOf(writer)))
  const wanting = await grantKnown(tx, ctx, writer, [...files.values()])
  const { joined, fresh } = await joinOwn(tx, writer, wanting)
  const begun = fresh.length > 0 ? await begin(tx, ctx, writer, { shardKey, files: fresh, xorbs }) : []
  const rebuilds = [...joined, ...begun]
  await claim(tx, writer, rebuilds)
  await noteNamed(tx, ctx, writer, xorbs.keys())
  await requirePendingQuota(ctx, tx, writer)
  const unused = begun.length > 0 ? [] : [shardKey]
  if (begun.length > 0) await keepKeys(tx, ctx, [shardKey])
  await discardKeys(tx, ctx, unused)
  return { rebuilds: rebuilds.map(({ id, size }) => ({ id, sizeBytes: size })), unused }
}

/** The collector may have taken one since it was looked up; from here on touch and pins hold them. */
async function requireXorbs(tx: Tx, hashes: string[]): Promise<void> {
  const there = new Set((await findXorbsByHash(tx, hashes)).map((row) => row.xorb_hash))
  const gone = hashes.find((hash) => !there.has(hash))
  if (gone !== undefined) throw unknownXorb(gone)
}

/**
 * Rebuilds of these contents wait with their end until this transaction is over, so that a claim added here is seen by it;
 * what has ended before is an object by now.
 */
async function holdRebuilds(tx: Tx, contents: string[]): Promise<void> {
  const { chunk_rebuilds: r } = tx.t
  await inBatches(contents, async (some) => {
    await tx.q
      .update(r)
      .set({ active_key: sql`${r.active_key}` })
      .where(inArray(r.active_key, some))
    return []
  })
}

/**
 * Grants the contents whose objects the writer may use already; answers the others. What somebody else has stored is put
 * together like what is new: a missing job would tell that it is stored.
 */
async function grantKnown(
  tx: Tx,
  ctx: Ctx,
  writer: ChunkWriter,
  files: DescribedFile[],
): Promise<DescribedFile[]> {
  const rows = await findUsableContents(tx, ctx, files)
  const there = await touch(
    tx,
    rows.map((row) => row.sha256),
    ctx.now(),
  )
  const byContent = new Map<string, string>()
  for (const row of rows)
    if (there.has(row.sha256)) for (const content of namesOf(row)) byContent.set(content, row.sha256)
  const known = new Map(files.map((file) => [file, byContent.get(contentOf(file))]))
  await grantObjects(
    tx,
    ctx,
    [...known.values()].filter((sha256) => sha256 !== undefined),
    writer,
  )
  return files.filter((file) => known.get(file) === undefined)
}

/** The writer's rebuilds of the same contents that are under way already, and the contents that have none. */
async function joinOwn(tx: Tx, writer: ChunkWriter, files: DescribedFile[]) {
  const { chunk_rebuilds: r } = tx.t
  const keyOf = activeKeyOf(writer)
  const active = await activeRebuilds(tx, files.map(keyOf))
  const joined = active.filter(({ isWorkedOn }) => isWorkedOn).map(({ row }) => row)
  // Their job is dead: the next sender of the same content takes it up again.
  const dead = active.filter(({ isWorkedOn }) => !isWorkedOn).map(({ row }) => row.id)
  await inBatches(dead, async (some) => {
    await tx.q.update(r).set({ active_key: null }).where(inArray(r.id, some))
    return []
  })
  const underWay = new Set(joined.map((row) => row.active_key))
  return { joined, fresh: files.filter((file) => !underWay.has(keyOf(file))) }
}

async function begin(
  tx: Tx,
  ctx: Ctx,
  writer: ChunkWriter,
  { shardKey, files, xorbs }: { shardKey: string; files: DescribedFile[]; xorbs: ShardValidation['xorbs'] },
): Promise<RebuildRow[]> {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const input = { shard: shardKey, files: files.length, bytes }
  const { repoId, userId: createdBy } = writer
  const job = await enqueue(tx, ctx, chunkRebuild, input, { repoId, createdBy })
  const keyOf = activeKeyOf(writer)
  await inBatches(xorbs.keys(), async (some) => {
    await tx.q.insert(tx.t.chunk_pins).values(some.map((xorb_hash) => ({ job_id: job.id, xorb_hash })))
    return []
  })
  const rows = files.map((file) => ({
    id: newId(),
    job_id: job.id,
    shard_key: shardKey,
    terms_offset: file.termsOffset,
    terms: file.terms,
    file_hash: file.fileHash,
    claimed_sha256: file.sha256 ?? null,
    size: file.sizeBytes,
    active_key: keyOf(file),
    problem: null,
    created_at: ctx.now(),
  }))
  await inBatches(rows, async (some) => {
    await tx.q.insert(tx.t.chunk_rebuilds).values(some)
    return []
  })
  return rows
}

/** From here on the files count in their place. */
async function noteNamed(
  tx: Tx,
  { now }: Ctx,
  { userId }: ChunkWriter,
  hashes: Iterable<string>,
): Promise<void> {
  const { chunk_xorb_uploads: u } = tx.t
  await inBatches(hashes, async (some) => {
    await tx.q
      .update(u)
      .set({ named_at: now() })
      .where(and(inArray(u.xorb_hash, some), eq(u.user_id, userId), isNull(u.named_at)))
    return []
  })
}

async function claim(tx: Tx, { repoId, userId }: ChunkWriter, rebuilds: RebuildRow[]): Promise<void> {
  await inBatches(rebuilds, async (some) => {
    await tx.q
      .insert(tx.t.chunk_rebuild_claims)
      .values(some.map(({ id }) => ({ rebuild_id: id, repo_id: repoId, user_id: userId })))
      .onConflictDoNothing()
    return []
  })
}
