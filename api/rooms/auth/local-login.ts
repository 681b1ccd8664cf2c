import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'

/** Whether a password or a passkey is a way in for this name: the bootstrap admin's always is (`security.local_login`). */
export function isLocal({ config: { security } }: Pick<Ctx, 'config'>, username: string): boolean {
  return security.local_login || username.toLowerCase() === security.bootstrap_admin.username.toLowerCase()
}

/** Throws Problem `forbidden` unless a password is a way in for this name. */
export function mayUsePassword(ctx: Pick<Ctx, 'config'>, username: string): void {
  if (!isLocal(ctx, username))
    throw new Problem('forbidden', {
      detail: 'Signing in with a password is switched off here. Sign in with a provider.',
    })
}
