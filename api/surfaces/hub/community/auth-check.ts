import type { Context } from 'hono'
import type { RepoAction } from '../../../core/access/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'

/** `GET /api/{t}/{repo}/auth-check[/write]`: whether the caller may read its files, or write. */
export async function checkAccess(c: Context<Env>, action: RepoAction): Promise<Response> {
  await requireRepo(c.var.ctx, addressOf(c), action)
  return c.json({})
}
