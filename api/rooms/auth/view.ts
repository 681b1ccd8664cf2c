import { scopes, type Scope } from '../../../shared/vocabulary.ts'
import type { UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { optionalTime, time, type z } from '../../core/http/contract.ts'
import { avatarPath } from '../namespaces/index.ts'
import { deviceScopes } from './decide-device.ts'
import type { Me } from './get-me.ts'
import type { DeviceLogin, SessionRow, TokenRow } from './queries.ts'
import type * as routes from './routes.ts'
import type { FactorAsked } from './second-factor.ts'
import type { SignInRow } from './sign-ins.ts'
import type * as tokenRoutes from './token-routes.ts'

/** What a session may do: everything its user may. */
const sessionScopes = ({ isAdmin }: UserActor): Scope[] =>
  scopes.filter((scope) => scope !== 'admin' || isAdmin)

function viewAuthentication({ secrets }: Ctx, actor: UserActor) {
  const { auth } = actor
  const expires_at = optionalTime(auth.expiresAt)
  const end = expires_at === undefined ? {} : { expires_at }
  if (auth.kind === 'token')
    return { auth: { kind: auth.kind, token_name: auth.tokenName, scopes: [...auth.scopes], ...end } }
  return {
    auth: { kind: auth.kind, scopes: sessionScopes(actor), ...end },
    csrf_token: secrets.csrfFor(auth.sessionId),
  }
}

/** The signed-in user on the wire. */
export function viewMe(
  ctx: Ctx,
  { user, orgs, identities, actor, ...factor }: Me,
): z.input<typeof routes.Me> {
  return {
    id: user.id,
    username: user.username,
    display_name: user.display_name,
    ...(user.email && { email: user.email }),
    email_verified: user.email_verified,
    ...(user.pending_email && { pending_email: user.pending_email }),
    avatar_url: avatarPath(user.username),
    is_admin: user.is_admin,
    has_password: user.password_hash !== null,
    password_generated: user.password_generated,
    identities: identities.map(({ provider, name }) => ({ provider, name })),
    orgs: orgs.map(({ ns, display_name, role }) => ({ ns, display_name, role })),
    ...viewAuthentication(ctx, actor),
    second_factor: {
      passkeys: factor.passkeys,
      recovery_codes_left: factor.recoveryCodesLeft,
      is_missing: actor.lacksSecondFactor === true,
    },
    default_visibility: user.default_visibility ?? 'public',
    created_at: time(user.created_at),
  }
}

/** A session on the wire; `current` says whether the request came by it. */
export function viewSession({ actor }: Ctx, row: SessionRow): z.input<typeof routes.Session> {
  const isCurrent = actor.kind === 'user' && actor.auth.kind === 'session' && actor.auth.sessionId === row.id
  return {
    id: row.id,
    created_at: time(row.created_at),
    last_seen_at: time(row.last_seen_at),
    expires_at: time(row.expires_at),
    ip: row.ip,
    user_agent: row.user_agent,
    current: isCurrent,
  }
}

/** One sign-in on the wire. The log says more of it, which is for admins. */
export function viewSignIn({ id, at, ip, after, outcome }: SignInRow): z.input<typeof routes.SignIn> {
  const said = (after ?? {}) as { provider?: string; client?: string; method?: string }
  const method = said.provider ?? said.method ?? 'password'
  return { id, at: time(at), ip: ip ?? '', client: said.client ?? '', method, outcome }
}

/** What a password alone was not enough for, on the wire. */
export const viewFactorAsked = ({
  ticket,
  passkey,
  recoveryCodesLeft,
}: FactorAsked): z.input<typeof routes.SecondFactorAsked> => ({
  ticket,
  ...(passkey && { passkey }),
  recovery_codes_left: recoveryCodesLeft,
})

/** A token on the wire, without its secret. */
export function viewToken(row: TokenRow): z.input<typeof tokenRoutes.Token> {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    ...row.fence,
    prefix: row.prefix,
    ...(row.parent_id && { parent_id: row.parent_id }),
    created_at: time(row.created_at),
    ...(row.last_used_at && { last_used_at: time(row.last_used_at) }),
    ...(row.expires_at && { expires_at: time(row.expires_at) }),
  }
}

/** A waiting device on the wire: what the person compares before approving. */
export function viewDevice(login: DeviceLogin): z.input<typeof tokenRoutes.DeviceRequest> {
  return {
    user_code: login.user_code,
    client_name: login.client_name,
    ip: login.ip,
    scopes: deviceScopes,
    created_at: time(login.created_at),
    expires_at: time(login.expires_at),
  }
}
