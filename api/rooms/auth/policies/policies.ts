import { eq } from 'drizzle-orm'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../../namespaces/index.ts'

/** What admins demand; `null` or false where they demand nothing. */
export type Policies = Omit<Tables['instance_policies']['$inferSelect'], 'id' | 'updated_at'>

/** The id of the one row. */
export const policyRow = 'instance'

/** What holds while no admin has set anything. */
export const noPolicies: Policies = {
  token_max_days: null,
  token_require_expiry: false,
  password_min_score: null,
  session_idle_minutes: null,
  admin_second_factor: false,
}

/** The policies as of now. */
export async function readPolicies({ q, t: { instance_policies: p } }: Reader): Promise<Policies> {
  const [row] = await q
    .select({
      token_max_days: p.token_max_days,
      token_require_expiry: p.token_require_expiry,
      password_min_score: p.password_min_score,
      session_idle_minutes: p.session_idle_minutes,
      admin_second_factor: p.admin_second_factor,
    })
    .from(p)
    .where(eq(p.id, policyRow))
  return row ?? noPolicies
}
