import { requireAccount, type UserActor } from '../../core/access/index.ts'
import type { Visibility } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId, UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { nameTaken } from './create-user.ts'
import { checkNamespaceName, nameKey } from './names.ts'
import { findNamespace, type NamespaceRow } from './queries.ts'

/** An organisation to be made. */
export interface NewOrg {
  ns: string
  display_name?: string | undefined
  bio?: string | undefined
  website?: string | undefined
  /** Of repos that clients create without saying; public when left out. */
  default_visibility?: Visibility | undefined
  /** The upstream whose mirrors it is made for. */
  mirrorOf?: string | undefined
}

/** Creates an organisation with the caller as its first admin. Problems: `invalid-name`, `name-taken`. */
export async function createOrg(ctx: Ctx, org: NewOrg): Promise<NamespaceRow> {
  const user = requireAccount(ctx.actor, 'write')
  checkNamespaceName('ns', org.ns)
  try {
    return await ctx.db.write((tx) => found(tx, ctx, user, org))
  } catch (error) {
    throw error instanceof UniqueViolation ? nameTaken('ns') : error
  }
}

async function found(tx: Tx, ctx: Ctx, founder: UserActor, org: NewOrg): Promise<NamespaceRow> {
  const row = await addOrg(tx, ctx, org)
  await tx.q.insert(tx.t.members).values({
    org_id: row.id,
    user_id: founder.id,
    role: 'admin',
    source: 'manual',
    joined_at: row.created_at,
  })
  return row
}

/** Creates an organisation without members, within a transaction. Problem `name-taken`. */
export async function addOrg(tx: Tx, ctx: Ctx, org: NewOrg): Promise<NamespaceRow> {
  if (await findNamespace(tx, org.ns)) throw nameTaken('ns')
  const row: NamespaceRow = {
    id: newId(),
    name: org.ns,
    name_key: nameKey(org.ns),
    kind: 'org',
    display_name: org.display_name ?? org.ns,
    bio: org.bio || null,
    website: org.website || null,
    quota_bytes: null,
    default_visibility: org.default_visibility ?? null,
    mirror_of: org.mirrorOf ?? null,
    created_at: ctx.now(),
  }
  await tx.q.insert(tx.t.namespaces).values(row)
  await audit(tx, ctx, { action: 'org.create', target: { type: 'org', id: row.id, name: row.name } })
  return row
}
