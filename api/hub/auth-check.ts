import type { Context } from 'hono'
import type { RepoAction } from '../access/index.ts'
import type { Env } from '../http/env.ts'
import { requireRepo } from '../repos/index.ts'
import { addressOf } from './address.ts'

/** `GET /api/{t}/{repo}/auth-check[/write]`: whether the caller may read its files, or write. */
export async function checkAccess(c: Context<Env>, action: RepoAction): Promise<Response> {
  await requireRepo(c.var.ctx, addressOf(c), action)
  return c.json({})
}
