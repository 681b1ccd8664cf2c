import { requireAccount, type UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Scope } from '../../../shared/vocabulary.ts'
import { findPendingDevice, moveDevice, type DeviceLogin } from './queries.ts'
import { normalUserCode } from './request-device.ts'
import { codesKey, countFailure, refuseLocked, refuseLockedNow } from './throttle.ts'

/** What the token of an approved device may do (hub-wire.md §11.2). */
export const deviceScopes: Scope[] = ['write']

/** The device that waits under a user code. Wrong codes count toward the throttle and are Problem `not-found`. */
export async function getDeviceRequest(ctx: Ctx, userCode: string): Promise<DeviceLogin> {
  // Counted by the user alone, so that what others fail keeps no one from approving a device.
  const keys = [codesKey(requireAccount(ctx.actor, 'write').id)]
  await refuseLocked(ctx, keys)
  const login = await findPendingDevice(ctx.db, normalUserCode(userCode), ctx.now())
  if (login) return login
  await ctx.db.write((tx) => countFailure(tx, keys, ctx.now()))
  throw noSuchCode()
}

/**
 * Approves or denies the device that waits under a user code, once and for all. Approved by token, the device's token
 * ends with that one. Wrong codes count toward the throttle and are Problem `not-found`.
 */
export async function decideDevice(ctx: Ctx, userCode: string, decision: 'approve' | 'deny'): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  const keys = [codesKey(user.id)]
  await refuseLocked(ctx, keys)
  const isDecided = await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    const login = await findPendingDevice(tx, normalUserCode(userCode), ctx.now())
    if (!login || !(await moveDevice(tx, login.id, 'pending', outcome(user, decision)))) {
      await countFailure(tx, keys, ctx.now())
      return false
    }
    await audit(tx, ctx, {
      action: `device.${decision}`,
      target: { type: 'device-login', id: login.id, name: login.client_name },
      after: { ip: login.ip },
    })
    return true
  })
  if (!isDecided) throw noSuchCode()
}

function outcome({ id, auth }: UserActor, decision: 'approve' | 'deny'): Partial<DeviceLogin> {
  if (decision === 'deny') return { status: 'denied', user_id: id }
  const by = auth.kind === 'token' ? auth : undefined
  const lineage = { token_id: by?.tokenId ?? null, token_expires_at: by?.expiresAt ?? null }
  return { status: 'approved', user_id: id, scopes: deviceScopes, ...lineage }
}

function noSuchCode(): Problem {
  return new Problem('not-found', {
    detail: 'No device waits under this code. It may have expired; start again there.',
  })
}
