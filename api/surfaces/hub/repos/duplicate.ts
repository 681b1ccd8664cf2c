import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { duplicateRepo } from '../../../rooms/content/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { addressOf } from '../wire/address.ts'
import { bodyOf } from '../wire/bodies.ts'
import { addressIn, repoUrl, visibilityOf } from './manage.ts'

const Duplication = z.object({
  repository: z.string(),
  visibility: z.string().nullish(),
  private: z.boolean().nullish(),
})

/** `POST /api/{t}/{repo}/duplicate`. A name in use answers 409 with the `url` that `exist_ok` reads. */
export async function duplicateHubRepo(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(c, Duplication)
  const from = addressOf(c)
  const to = addressIn(c, { name: body.repository, type: from.type })
  try {
    return c.json({ url: repoUrl(c, await duplicateRepo(c.var.ctx, from, to, visibilityOf(body))) })
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'name-taken')) throw error
    const message = `You already created this ${to.type} repo`
    return c.json({ error: message, url: repoUrl(c, to) }, 409, { 'X-Error-Message': message })
  }
}
