import { eq } from 'drizzle-orm'
import { authoriseNamespace, authoriseProfile, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { storeImage } from '../../../core/images/index.ts'
import { discardKeys } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { blobKeys, type ByteSource } from '../../../stores/storage/index.ts'
import { avatarTypes, limits } from '../../../../shared/vocabulary.ts'
import { lockNamespace, type NamespaceRow } from '../queries.ts'
import { requireWithinQuota } from '../quota.ts'
import { requireNamespace } from '../require.ts'

/** The types that are taken, in words. */
export const namedTypes = 'PNG, JPEG or WebP'

/** The namespace `name`, whose profile the caller may change. */
async function requireEditable(ctx: Ctx, name: string): Promise<NamespaceRow> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const row = await requireNamespace(ctx.db, name)
  authoriseNamespace(ctx.actor, 'namespace.edit', row)
  return row
}

/**
 * Makes an image the avatar of a user, who asks for it, or of an organisation, whose admin does. Its bytes count towards the
 * namespace's quota. Problems: `unsupported-media-type`, `body-too-large`, `quota-exceeded`.
 */
export async function setAvatar(
  ctx: Ctx,
  name: string,
  source: ByteSource,
  declaredBytes: number | undefined,
): Promise<NamespaceRow> {
  const { id: namespaceId } = await requireEditable(ctx, name)
  let changed: NamespaceRow | undefined
  await storeImage(ctx, source, declaredBytes, {
    keyOf: blobKeys.avatar,
    types: avatarTypes,
    named: namedTypes,
    maxBytes: limits.avatarBytes,
    tooLarge: 'Make it smaller: 400 by 400 points are enough.',
    async record(tx, { id, type, sizeBytes, sha256 }) {
      changed = await lockNamespace(tx, namespaceId)
      if (!changed) throw new Problem('not-found', { detail: `There is no user or organisation ${name}.` })
      const before = await dropAvatar(tx, ctx, namespaceId)
      const image = { id, type, size: sizeBytes, sha256 }
      await tx.q.insert(tx.t.avatars).values({ ...image, namespace_id: namespaceId, created_at: ctx.now() })
      await requireWithinQuota(tx, changed)
      await audit(tx, ctx, { action: 'avatar.set', ...entryOf(changed, before), after: { sha256 } })
    },
  })
  if (!changed) throw new Error('an avatar was stored without its row')
  return changed
}

/** Has the initials shown again. It changes nothing where no avatar was uploaded. */
export async function removeAvatar(ctx: Ctx, name: string): Promise<void> {
  const { id } = await requireEditable(ctx, name)
  await ctx.db.write(async (tx) => {
    const row = await lockNamespace(tx, id)
    if (!row) return
    const before = await dropAvatar(tx, ctx, id)
    if (before) await audit(tx, ctx, { action: 'avatar.remove', ...entryOf(row, before) })
  })
}

const entryOf = ({ kind, id, name }: NamespaceRow, before: { sha256: string } | undefined) => ({
  target: { type: kind, id, name },
  ...(before && { before: { sha256: before.sha256 } }),
})

/** Deletes the row of a namespace's avatar and has its bytes deleted. */
export async function dropAvatar(
  tx: Tx,
  ctx: Ctx,
  namespaceId: string,
): Promise<{ sha256: string } | undefined> {
  const { avatars: a } = tx.t
  const [gone] = await tx.q
    .delete(a)
    .where(eq(a.namespace_id, namespaceId))
    .returning({ id: a.id, sha256: a.sha256 })
  if (gone) await discardKeys(tx, ctx, [blobKeys.avatar(gone.id)])
  return gone
}
