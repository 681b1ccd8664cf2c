import { eq, getTableColumns } from 'drizzle-orm'
import { namespaceRole } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { pendingBytes, type Pending } from '../../../core/lfs/index.ts'
import {
  isMemberOf,
  lockNamespace,
  usedAtMost,
  usedBytes,
  type NamespaceRow,
} from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

/** The largest LFS object: a user may always have one of them pending. */
const MAX_OBJECT_BYTES = 5 * 2 ** 40
/** A manifest may describe four times `chunk.max_file_size`; containers kept are held to the same multiple of a limit. */
const MULTIPLE = 4

/** Who sends bytes, towards which repo. */
interface Sender {
  repoId: string
  userId: string
}

interface Coming {
  /** Still to come, and to be recorded then. */
  moreBytes?: number
  /** They are a chunk container, which is kept for `chunk.xorb_retention` beside the files made of it. */
  isContainer?: boolean
}

/**
 * What one user may have pending in namespaces without a quota. No key of its own: as much as one manifest of chunks may
 * describe, and no less than the largest object.
 */
const maxPendingBytes = ({ config }: Pick<Ctx, 'config'>): number =>
  Math.max(MULTIPLE * config.chunk.max_file_size, MAX_OBJECT_BYTES)

/**
 * Throws `quota-exceeded` when what waits for a commit is too much: with what the namespace holds more than its quota, or
 * without a quota more than one user may have pending. Asked before bytes move, with those that are still to come, and in
 * the transaction that records them, after it did. There it holds a row until the transaction ends, so that of two senders
 * who fit one by one the second counts what the first brought, on Postgres too.
 */
export async function requirePendingQuota(
  ctx: Ctx,
  tx: Tx,
  { repoId, userId }: Sender,
  coming: Coming = {},
): Promise<void> {
  const { repos, namespaces } = tx.t
  const [space] = await tx.q
    .select(getTableColumns(namespaces))
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(eq(repos.id, repoId))
  if (!space) return
  const isLimited = space.quota_bytes !== null
  const isRecorded = coming.moreBytes === undefined
  const current = isRecorded ? await lockNamespace(tx, isLimited ? space.id : userId) : space
  if (!current) return
  if (isLimited) await requireQuotaLeft(ctx, tx, current, userId, coming)
  else await requireBelowCap(ctx, tx, userId, coming)
}

async function requireBelowCap(ctx: Ctx, tx: Tx, userId: string, coming: Coming): Promise<void> {
  const max = maxPendingBytes(ctx)
  const pending = await pendingBytes(tx, ctx, { userId })
  requireContainerQuota(pending, coming, max)
  const bytes = pending.bytes + (coming.moreBytes ?? 0)
  if (bytes <= max) return
  throw new Problem('quota-exceeded', {
    detail: `You would have ${bytes} bytes pending, of at most ${max}. ${remedy(pending)}`,
  })
}

async function requireQuotaLeft(
  ctx: Ctx,
  tx: Tx,
  space: NamespaceRow,
  userId: string,
  coming: Coming,
): Promise<void> {
  const quota = space.quota_bytes
  if (quota === null) return
  const isMember = await isMemberOf(tx, space.id, userId)
  const pending = await pendingBytes(tx, ctx, { userId, namespaceId: space.id, isMember })
  requireContainerQuota(pending, coming, quota)
  const bytes = pending.bytes + (coming.moreBytes ?? 0)
  if ((await usedAtMost(ctx.db, space.id, tx)) + bytes <= quota) return
  const used = (await usedBytes(tx, [space.id])).get(space.id) ?? 0
  if (used + bytes <= quota) return
  // A signed address says who sends, but not that they may know what the namespace holds.
  if (namespaceRole(ctx.actor, space) === null) throw await overQuota(ctx, tx, space, { userId, ...coming })
  throw new Problem('quota-exceeded', {
    detail: `${space.name} holds ${used} bytes and would have ${bytes} pending, of at most ${quota}. ${remedy(pending)}`,
  })
}

/** Others are shown what they send themselves, and nothing of what members hold. */
async function overQuota(
  ctx: Ctx,
  tx: Tx,
  { name }: NamespaceRow,
  { userId, moreBytes = 0 }: Coming & { userId: string },
): Promise<Problem> {
  const own = await pendingBytes(tx, ctx, { userId })
  return new Problem('quota-exceeded', {
    detail: `${name} has no room for these bytes. You would have ${own.bytes + moreBytes} pending. ${remedy(own)}`,
  })
}

/** Naming a container by a small file ends its being pending, so containers have a limit of their own. */
function requireContainerQuota(
  { containerBytes }: Pending,
  { moreBytes = 0, isContainer }: Coming,
  limitBytes: number,
): void {
  if (!isContainer || containerBytes + moreBytes <= MULTIPLE * limitBytes) return
  throw new Problem('quota-exceeded', {
    detail: `There is no room for more chunk containers: at most ${MULTIPLE * limitBytes} bytes of them are kept, until chunk.xorb_retention has passed. Set HF_HUB_DISABLE_XET=1 to send files whole.`,
  })
}

const remedy = ({ firstEndsAt }: Pending) =>
  'Commit what was uploaded, or wait: pending bytes expire' +
  (firstEndsAt ? `, the first at ${firstEndsAt.toISOString()}.` : '.')
