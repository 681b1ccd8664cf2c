import type { Ctx } from '../../core/ctx.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { getJob } from '../../core/jobs/index.ts'
import { viewJob } from '../../core/jobs/view.ts'
import type { JobRow } from '../../core/jobs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { findUsernames } from '../content/index.ts'
import { addressOf, viewRepo } from '../repos/view.ts'
import { createPull } from './pull/create-pull.ts'
import { pull } from './pull/pull-job.ts'
import * as routes from './routes.ts'
import { detachMirror, getMirror, pullMore, syncNow, updateMirror } from './settings/mirror.ts'
import { listProvenance } from './settings/provenance.ts'
import { mirrorSync } from './sync/sync-job.ts'
import { viewMirror, viewProvenance } from './view.ts'
import { viewPull } from './view-pull.ts'

const kinds = [pull, mirrorSync]

/** The operations on mirrors and on what is pulled into them. */
export function mountMirrors(app: App): void {
  const queued = async (ctx: Ctx, { id }: JobRow) => viewJob(ctx, kinds, await getJob(ctx, id))
  const at = (id: string) => ({ Location: `${nativeBase}/jobs/${id}` })

  app.openapi(routes.getMirror, async (c) =>
    c.json(viewMirror(await getMirror(c.var.ctx, addressOf(c.req.valid('param')))), 200),
  )

  app.openapi(routes.updateMirror, async (c) => {
    const changed = await updateMirror(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('json'))
    return c.json(viewMirror(changed), 200)
  })

  app.openapi(routes.syncMirror, async (c) => {
    const job = await syncNow(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json(await queued(c.var.ctx, job), 202, at(job.id))
  })

  app.openapi(routes.detachMirror, async (c) => {
    const repo = await detachMirror(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json(await viewRepo(c.var.ctx, repo), 200)
  })

  app.openapi(routes.pullIntoMirror, async (c) => {
    const job = await pullMore(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('json'))
    return c.json(await queued(c.var.ctx, job), 202, at(job.id))
  })

  app.openapi(routes.listProvenance, async (c) => {
    const { rev, path } = c.req.valid('query')
    const rows = await listProvenance(c.var.ctx, addressOf(c.req.valid('param')), { revision: rev, path })
    const usernames = await findUsernames(
      c.var.ctx.db,
      rows.flatMap(({ user_id }) => user_id ?? []),
    )
    return c.json({ items: rows.map((row) => viewProvenance(row, usernames)), next_cursor: '' }, 200)
  })

  app.openapi(routes.createPull, async (c) => {
    const { repo, with_dependencies: wanted = {}, ...given } = c.req.valid('json')
    const job = await createPull(c.var.ctx, {
      upstream: given.upstream,
      type: given.type,
      name: repo,
      revision: given.revision ?? 'main',
      selection: given.selection ?? { all: true },
      ...(given.target_ns === undefined ? {} : { target_ns: given.target_ns }),
      ...(given.visibility === undefined ? {} : { visibility: given.visibility }),
      tracking: given.tracking ?? 'follow',
      history: given.history ?? 'shallow',
      dependencies: {
        code: wanted.code ?? true,
        base_models: wanted.base_models ?? false,
      },
    })
    return c.json(await queued(c.var.ctx, job), 202, at(job.id))
  })

  app.openapi(routes.getPull, async (c) => {
    const { ctx } = c.var
    const { id } = c.req.valid('param')
    const job = await getJob(ctx, id)
    if (!kinds.some(({ kind }) => kind === job.kind)) throw new Problem('not-found')
    return c.json({ ...(await viewJob(ctx, kinds, job)), ...(await viewPull(ctx, id)) }, 200)
  })
}
