import { eq } from 'drizzle-orm'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../queries.ts'

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
  const [row] = await q.select().from(p).where(eq(p.id, policyRow))
  if (!row) return noPolicies
  const { id: _, updated_at: __, ...policies } = row
  return policies
}
