import { authoriseProfile, decideNamespace, namespaceRole, policyOf } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { pendingBytes } from '../../core/lfs/index.ts'
import type { Role } from '../../../shared/vocabulary.ts'
import { findAvatarOf } from './avatars/queries.ts'
import { followsOf } from './follows/list.ts'
import { countsOf, type NamespaceRow } from './queries.ts'
import { requireNamespace } from './require.ts'
import { usedBytes } from './storage.ts'

/** A namespace as the caller may see it. */
export interface Profile {
  row: NamespaceRow
  /** A picture was uploaded; its initials are shown otherwise. */
  hasAvatar: boolean
  counts: Awaited<ReturnType<typeof countsOf>>
  follows: Awaited<ReturnType<typeof followsOf>>
  role: Role | null
  /** For its members alone. */
  storage?: { usedBytes: number; pendingBytes: number; quotaBytes: number | null }
}

/** The user or organisation called `name`. Problems: `unauthenticated`, `not-found`. */
export async function getNamespace(ctx: Ctx, name: string): Promise<Profile> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  return profileOf(ctx, await requireNamespace(ctx.db, name))
}

/** What the caller may see of a namespace: only repos visible to them are counted. */
export async function profileOf(ctx: Ctx, row: NamespaceRow): Promise<Profile> {
  const { db, actor, config } = ctx
  const profile = {
    row,
    hasAvatar: (await findAvatarOf(db, row.id)) !== undefined,
    counts: await countsOf(db, actor, policyOf(config), row),
    follows: await followsOf(db, actor, row),
    role: namespaceRole(actor, row),
  }
  if (decideNamespace(actor, 'namespace.see-storage', row) !== 'ok') return profile
  const used = await usedBytes(db, [row.id])
  const pending = await pendingBytes(db, ctx, { namespaceId: row.id, userId: row.id, isMember: true })
  const storage = {
    usedBytes: used.get(row.id) ?? 0,
    pendingBytes: pending.bytes,
    quotaBytes: row.quota_bytes,
  }
  return { ...profile, storage }
}
