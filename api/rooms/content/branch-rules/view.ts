import { time, type z } from '../../../core/http/contract.ts'
import type { BranchRule } from './queries.ts'
import type * as routes from './routes.ts'

export const viewRule = ({
  repo_id: _,
  created_at,
  ...rule
}: BranchRule): z.input<typeof routes.BranchRule> => ({
  ...rule,
  created_at: time(created_at),
})
