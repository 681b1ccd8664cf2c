import { requireScope, type UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { storeImage, type StoredImage } from '../../../core/images/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireOwnQuota } from '../../repos/index.ts'
import { attachmentTypes, limits } from '../../../../shared/vocabulary.ts'
import { blobKeys, type ByteSource } from '../../../stores/storage/index.ts'
import { unusedOf } from './queries.ts'

/** The types that are taken, in words. */
export const namedTypes = 'PNG, JPEG, GIF or WebP'

/** What one user may have uploaded without putting it into a comment. */
const MAX_UNUSED = { files: 100, bytes: 200 * 1024 * 1024 }

/**
 * Stores an image for a comment that its uploader is about to write; until then they alone can see it. Its bytes count
 * towards the quota of their own namespace. Problems: `unsupported-media-type` for bytes that are no image,
 * `body-too-large`, `quota-exceeded`.
 */
export async function uploadAttachment(
  ctx: Ctx,
  source: ByteSource,
  declaredBytes: number | undefined,
): Promise<StoredImage> {
  const user = requireScope(ctx.actor, 'write')
  return storeImage(ctx, source, declaredBytes, {
    keyOf: blobKeys.attachment,
    types: attachmentTypes,
    named: namedTypes,
    maxBytes: limits.attachmentBytes,
    tooLarge: 'Make it smaller, or commit it to the repo and link to it.',
    admit: (tx) => requireUnusedRoom(tx, user, { files: 1, bytes: declaredBytes ?? 0 }),
    record: (tx, image) => record(tx, ctx, user, image),
  })
}

async function record(
  tx: Tx,
  ctx: Ctx,
  user: UserActor,
  { id, type, sizeBytes, sha256 }: StoredImage,
): Promise<void> {
  const now = ctx.now()
  const row = { id, user_id: user.id, type, size: sizeBytes, sha256, created_at: now, unused_since: now }
  await tx.q.insert(tx.t.attachments).values(row)
  await requireUnusedRoom(tx, user, { files: 0, bytes: 0 })
}

/** It holds the user's namespace, so that of two uploads at once the second counts the first. */
async function requireUnusedRoom(tx: Tx, user: UserActor, coming: typeof MAX_UNUSED): Promise<void> {
  await requireOwnQuota(tx, user.id)
  const { files, bytes } = await unusedOf(tx, user.id)
  if (files + coming.files > MAX_UNUSED.files || bytes + coming.bytes > MAX_UNUSED.bytes)
    throw new Problem('quota-exceeded', {
      detail:
        `You have uploaded ${files} images (${bytes} bytes) that no comment shows; ` +
        `at most ${MAX_UNUSED.files} of ${MAX_UNUSED.bytes} bytes are kept. Put them into comments, or wait until they expire.`,
    })
}
