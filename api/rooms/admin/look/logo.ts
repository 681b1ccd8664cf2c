import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { storeImage } from '../../../core/images/index.ts'
import { discardKeys } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { blobKeys, type ByteSource } from '../../../stores/storage/index.ts'
import { avatarTypes, limits } from '../../../../shared/vocabulary.ts'
import { getSetLook, readLogo, type LogoRow, type Look } from './look.ts'
import { lockLook, target } from './update-look.ts'

/** The types that are taken, in words. */
export const namedTypes = 'PNG, JPEG or WebP'

/** Makes an image the server's logo. For instance admins. Problems: `unsupported-media-type`, `body-too-large`. */
export async function setLogo(
  ctx: Ctx,
  source: ByteSource,
  declaredBytes: number | undefined,
): Promise<Look> {
  requireInstanceAdmin(ctx.actor)
  await storeImage(ctx, source, declaredBytes, {
    keyOf: blobKeys.avatar,
    types: avatarTypes,
    named: namedTypes,
    maxBytes: limits.logoBytes,
    tooLarge: 'Make it smaller: 128 by 128 points are enough.',
    async record(tx, { id, type, sizeBytes, sha256 }) {
      await lockLook(tx, ctx)
      const before = await dropLogo(tx, ctx)
      await tx.q
        .insert(tx.t.instance_logos)
        .values({ id, type, size: sizeBytes, sha256, created_at: ctx.now() })
      await audit(tx, ctx, { action: 'logo.set', target, ...before, after: { sha256 } })
    },
  })
  return getSetLook(ctx)
}

/** Has the logo of Arsenal shown again. It changes nothing where none was uploaded. For instance admins. */
export async function removeLogo(ctx: Ctx): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  await ctx.db.write(async (tx) => {
    await lockLook(tx, ctx)
    const before = await dropLogo(tx, ctx)
    if (before) await audit(tx, ctx, { action: 'logo.remove', target, ...before })
  })
}

/** Deletes the row of the logo and has its bytes deleted; answers what the audit log says of it. */
async function dropLogo(tx: Tx, ctx: Ctx): Promise<{ before: { sha256: string } } | undefined> {
  const { instance_logos: l } = tx.t
  const [gone] = await tx.q.delete(l).returning({ id: l.id, sha256: l.sha256 })
  if (!gone) return undefined
  await discardKeys(tx, ctx, [blobKeys.avatar(gone.id)])
  return { before: { sha256: gone.sha256 } }
}

/** The logo by its file name, for everyone. Problem `not-found`. */
export async function openLogo(ctx: Ctx, file: string): Promise<LogoRow> {
  const row = await readLogo(ctx.db)
  if (!row || `${row.id}.${row.type}` !== file)
    throw new Problem('not-found', { detail: 'There is no such logo.' })
  if (row.corrupt_at !== null)
    throw new Problem('store-unavailable', {
      detail: 'The bytes of the logo are damaged. An admin must upload it again.',
      retryAfterS: 60,
    })
  return row
}
