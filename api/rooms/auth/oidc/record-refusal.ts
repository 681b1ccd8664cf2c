import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { clientOf } from '../client-of.ts'
import { countFailure, providerKey } from '../throttle.ts'
import type { RefusalReason, Refused } from './refused.ts'

// A provider that is down fails many with one error, which is written down once and is the fault of none of them.
const isTheirs = new Set<RefusalReason>(['provider-down', 'provider-misconfigured'])
const recorded = new WeakSet<Refused>()

/** Provider and fault hold what others have sent. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)

/** Writes down that a sign-in was refused and why, and counts it against the network it came from. */
export async function recordRefusal(ctx: Ctx, provider: string, refused: Refused): Promise<void> {
  if (recorded.has(refused)) return
  recorded.add(refused)
  const { reason, fault, claimant, user } = refused
  await ctx.db.write(async (tx) => {
    if (!isTheirs.has(reason)) await countFailure(tx, [providerKey(ctx.origin.ip)], ctx.now())
    await audit(tx, ctx, {
      action: 'login.fail',
      target: { type: 'user', id: user?.id ?? '', name: user?.username ?? claimant?.username ?? '' },
      after: {
        provider: oneLine(provider),
        reason,
        client: clientOf(ctx),
        ...(fault && { fault: oneLine(fault) }),
        ...(claimant && { subject: claimant.subject }),
      },
      outcome: 'refused',
    })
  })
}
