import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { findUserById } from '../namespaces/index.ts'
import { addToken, holdParent, type CreatedToken } from './create-token.ts'
import { readPolicies } from './policies/policies.ts'
import { deviceTokenEnd } from './policies/token-policy.ts'
import { findDeviceByDigest, moveDevice, type DeviceLogin } from './queries.ts'
import { digestOf, randomText } from './secrets.ts'

/** Why there is no token yet, or never will be (RFC 8628 §3.5, RFC 6749 §5.2). */
export type DeviceRefusal =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'

// Each poll that comes too soon lengthens the interval by this (RFC 8628 §3.5).
const slowDownS = 5
// A punctual client may seem early by as much as the way to us varied.
const earlyMs = 500

/** Answers a device's poll: the token once approved, made by this very poll; each code yields one at most. */
export async function redeemDevice(ctx: Ctx, deviceCode: string): Promise<CreatedToken | DeviceRefusal> {
  return ctx.db.write(async (tx) => {
    const login = await findDeviceByDigest(tx, digestOf(deviceCode))
    if (!login || login.status === 'consumed') return 'invalid_grant'
    if (login.status === 'denied') return 'access_denied'
    if (login.expires_at <= ctx.now()) return 'expired_token'
    return login.status === 'pending' ? poll(tx, ctx, login) : consume(tx, ctx, login)
  })
}

async function poll(tx: Tx, ctx: Ctx, login: DeviceLogin): Promise<DeviceRefusal> {
  const now = ctx.now()
  const waitedMs = login.polled_at ? now.getTime() - login.polled_at.getTime() : Infinity
  const tooSoon = waitedMs < login.interval_s * 1000 - earlyMs
  const interval_s = tooSoon ? login.interval_s + slowDownS : login.interval_s
  await moveDevice(tx, login.id, 'pending', { polled_at: now, interval_s })
  return tooSoon ? 'slow_down' : 'authorization_pending'
}

async function consume(tx: Tx, ctx: Ctx, login: DeviceLogin): Promise<CreatedToken | DeviceRefusal> {
  if (!(await moveDevice(tx, login.id, 'approved', { status: 'consumed' }))) return 'invalid_grant'
  const user = login.user_id === null ? undefined : await findUserById(tx, login.user_id)
  if (!user || user.disabled || !login.scopes) return 'access_denied'
  if (login.token_id !== null && !(await holdParent(tx, user.id, login.token_id))) return 'access_denied'
  return addToken(tx, ctx, user, {
    name: tokenName(login),
    scopes: login.scopes,
    fence: null,
    expiresAt: deviceTokenEnd(await readPolicies(tx), ctx.now(), login.token_expires_at),
    parentId: login.token_id,
  })
}

/** Clients keep tokens by name, so the name tells the device and no two are equal. */
function tokenName({ client_name }: DeviceLogin): string {
  const device = client_name.replaceAll(/[^\w.]+/g, '-').toLowerCase()
  return `${device}-${randomText(6, 'abcdefghijkmnpqrstuvwxyz23456789')}`
}
