import type { Context } from 'hono'
import { Problem } from '../../../platform/problems/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { describeCroissant, readDataset } from '../../../rooms/datasets/index.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'

/** `GET /api/datasets/{repo}/croissant`: the dataset as JSON-LD, once it has been read. */
export async function sendCroissant(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const repo = await requireRepo(ctx, addressOf(c), 'repo.files')
  const dataset = await readDataset(ctx.db, repo.id)
  if (!dataset || dataset.export_commit === null)
    throw new Problem('not-found', {
      detail: 'This dataset has no Parquet export, or none yet. See its page for the reason.',
    })
  return c.json(await describeCroissant(ctx, repo, dataset), 200, { 'Content-Type': 'application/ld+json' })
}
