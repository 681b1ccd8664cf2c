import { gt, isNull, or, sql, type SQL } from 'drizzle-orm'
import { invalidField } from '../../../platform/problems/index.ts'
import type { Tables } from '../../../stores/db/index.ts'
import type { Policies } from './policies.ts'

const dayMs = 86_400_000

/** How long a token lasts that a device login makes, where tokens must end and the policy says not when. */
const deviceDays = 90

type TokenPolicies = Pick<Policies, 'token_max_days' | 'token_require_expiry'>

const daysLater = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs)

/** Throws Problem `validation-failed` on `expires_at` for a token that would outlast the policy. */
export function checkTokenEnd(policies: TokenPolicies, now: Date, expiresAt: Date | null): void {
  const { token_max_days: most, token_require_expiry } = policies
  if (expiresAt === null && (token_require_expiry || most !== null)) {
    const within = most === null ? '' : ` within ${most} days`
    throw invalidField('expires_at', `required: tokens of this server must end${within}`, 'required')
  }
  // A client computes the longest end a moment before it is checked.
  if (expiresAt && most !== null && expiresAt.getTime() > daysLater(now, most).getTime() + 60_000)
    throw invalidField(
      'expires_at',
      `must be within ${most} days: tokens of this server end by then`,
      'too-late',
    )
}

/** The end of a token that a device login makes: clients cannot ask for one, so it is the latest that is allowed. */
export function deviceTokenEnd(policies: TokenPolicies, now: Date, approved: Date | null): Date | null {
  const { token_max_days, token_require_expiry } = policies
  const days = token_max_days ?? (token_require_expiry ? deviceDays : null)
  if (days === null) return approved
  const latest = daysLater(now, days)
  return approved && approved < latest ? approved : latest
}

/** Tokens that work and end later than one may that is made now. They stay as they are. */
export function isBeyond(
  { tokens }: Pick<Tables, 'tokens'>,
  { token_max_days, token_require_expiry }: TokenPolicies,
  now: Date,
): SQL | undefined {
  const isEndless = isNull(tokens.expires_at)
  if (token_max_days !== null) return or(isEndless, gt(tokens.expires_at, daysLater(now, token_max_days)))
  return token_require_expiry ? isEndless : sql`1 = 0`
}

/** Tokens that have not expired. */
export const isWorking = ({ tokens }: Pick<Tables, 'tokens'>, now: Date): SQL | undefined =>
  or(isNull(tokens.expires_at), gt(tokens.expires_at, now))

/** The same for one token, which lists mark. */
export function outlasts(
  { expires_at }: { expires_at: Date | null },
  { token_max_days, token_require_expiry }: TokenPolicies,
  now: Date,
): boolean {
  if (expires_at === null) return token_max_days !== null || token_require_expiry
  return token_max_days !== null && expires_at > daysLater(now, token_max_days)
}
