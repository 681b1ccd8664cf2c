import { linkUrl, type MadeLink, type OpenInvite, type SessionRow } from '../../auth/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { time, type z } from '../../../core/http/contract.ts'
import type { AdminUser } from './queries.ts'
import type * as routes from './routes.ts'

/** A user as admins see them, on the wire. */
export function viewAdminUser(user: AdminUser): z.input<typeof routes.AdminUser> {
  return {
    id: user.id,
    username: user.username,
    display_name: user.display_name,
    ...(user.email && { email: user.email }),
    email_verified: user.email_verified,
    ...(user.pending_email && { pending_email: user.pending_email }),
    is_admin: user.is_admin,
    ...(user.admin_source && { admin_source: user.admin_source }),
    disabled: user.disabled,
    has_password: user.password_hash !== null,
    identities: user.identities,
    created_at: time(user.created_at),
    ...(user.last_seen_at && { last_seen_at: time(user.last_seen_at) }),
    storage_bytes: user.storage_bytes,
    repo_count: user.repo_count,
    token_count: user.token_count,
  }
}

/** A link with its secret, which is shown this once. */
export const viewMadeLink = (ctx: Ctx, { link, secret }: MadeLink): z.input<typeof routes.Link> => ({
  url: linkUrl(ctx, secret),
  expires_at: time(link.expires_at),
})

/** An open invite, without its secret. */
export const viewInvite = ({ link, createdBy }: OpenInvite): z.input<typeof routes.Invite> => ({
  id: link.id,
  ...link.invite,
  ...(createdBy !== undefined && { created_by: createdBy }),
  created_at: time(link.created_at),
  expires_at: time(link.expires_at),
})

export const viewOwnedSession = (row: SessionRow): z.input<typeof routes.OwnedSession> => ({
  id: row.id,
  created_at: time(row.created_at),
  last_seen_at: time(row.last_seen_at),
  expires_at: time(row.expires_at),
  ip: row.ip,
  user_agent: row.user_agent,
})
