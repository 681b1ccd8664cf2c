import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { preupload } from '../../../rooms/content/index.ts'
import { pullNumberOf } from '../../../rooms/discussions/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf, revisionAndPath } from '../wire/address.ts'
import { bodyOf } from '../wire/bodies.ts'
import { flagOf } from '../wire/params.ts'
import { chunkWarning } from './write-token.ts'

/** As many as a commit has operations. */
const maxFiles = 25_000
const Plan = z.object({
  files: z.array(z.object({ path: z.string(), size: z.number().int().min(0) })).max(maxFiles),
  gitAttributes: z.string().nullish(),
  gitIgnore: z.string().nullish(),
})

/** `POST /api/{t}/{repo}/preupload/{rev}`: how each file must travel, and what is there already (hub-wire.md §7.1). */
export async function planHubUpload(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const address = addressOf(c)
  const isPull = flagOf(c.req.query('create_pr')) || pullNumberOf(c.req.param('rest') ?? '') !== undefined
  const repo = await requireRepo(ctx, address, isPull ? 'repo.open-pull-request' : 'repo.commit')
  const { revision } = await revisionAndPath(c, repo.id, 5)
  const { files, gitAttributes, gitIgnore } = await bodyOf(c, Plan, { admit: async () => repo })
  const advice = await preupload(ctx, address, {
    revision: revision.commit,
    isPull,
    files: files.map(({ path, size }) => ({ path, sizeBytes: size })),
    ...(typeof gitAttributes === 'string' ? { gitAttributes } : {}),
    ...(typeof gitIgnore === 'string' ? { gitIgnore } : {}),
  })
  const plan = advice.map(({ path, mode, isIgnored, oid }) => ({
    path,
    uploadMode: mode,
    shouldIgnore: isIgnored,
    ...(oid === undefined ? {} : { oid }),
  }))
  const large = new Set(advice.filter(({ mode }) => mode === 'lfs').map(({ path }) => path))
  const sizesBytes = files.filter(({ path }) => large.has(path)).map(({ size }) => size)
  return c.json({ files: plan }, 200, chunkWarning(ctx, sizesBytes))
}
