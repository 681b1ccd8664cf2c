import { z } from '../../core/http/contract.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readHead } from '../content/index.ts'
import { queueIndex } from '../indexing/index.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { actorId } from '../../core/access/index.ts'
import { mountRepoAdmin } from './admin/handlers.ts'
import { mountPeople } from './people/handlers.ts'
import { repoTypeOf } from './address.ts'
import { createRepo } from './lifecycle/create.ts'
import { deleteRepo } from './lifecycle/delete.ts'
import { listDeletedRepos } from './lifecycle/deleted.ts'
import { settingsEtag } from './etag.ts'
import { requireRepo } from './find.ts'
import { likerId } from './people/likers.ts'
import type { RepoFilters } from './list/filters.ts'
import { listRepos } from './list/list.ts'
import { renameRepo, transferRepo } from './lifecycle/move.ts'
import { mountPins } from './pins/handlers.ts'
import { restoreRepo } from './lifecycle/restore.ts'
import * as routes from './routes.ts'
import { updateRepo, type RepoSettings, type WriteHead } from './lifecycle/update.ts'
import type { Repo } from './queries.ts'
import { addressOf, apiPath, viewRepo, viewRepos } from './view.ts'
import { mountWatches } from './watches/handlers.ts'

const listed = (text: string | undefined): string[] | undefined => {
  const values = text
    ?.split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  return values?.length ? values : undefined
}

type ListQuery = Omit<
  z.output<typeof routes.listRepos.request.query>,
  'cursor' | 'limit' | 'sort' | 'liked_by'
>

function filtersOf({ type, q, ns, mirror, ...query }: ListQuery): RepoFilters {
  return {
    type: type && repoTypeOf(type),
    words: q?.split(/\s+/).filter((word) => word !== ''),
    ns,
    facets: {
      format: listed(query.format),
      task: listed(query.task),
      library: listed(query.library),
      quant: listed(query.quant)?.map((quant) => quant.toUpperCase()),
      licence: listed(query.licence),
      language: listed(query.language),
      modality: listed(query.modality),
      size_category: listed(query.size_category),
    },
    tags: listed(query.tag)?.map((tag) => [tag]),
    parameters: rangeOf(query.params_min, query.params_max),
    contextLength: rangeOf(query.context_min),
    size: rangeOf(undefined, query.size_max),
    rows: rangeOf(query.rows_min, query.rows_max),
    isMirror: mirror,
  }
}

const rangeOf = (min: number | undefined, max?: number) =>
  min === undefined && max === undefined ? undefined : { min, max }

const Position = z.strictObject({ value: z.union([z.string(), z.number()]), id: z.string() })

function mountList(app: App): void {
  app.openapi(routes.listRepos, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, sort, liked_by, ...query } = c.req.valid('query')
    const likedBy = liked_by === undefined ? {} : { likedBy: await likerId(ctx, liked_by) }
    const filters = { ...filtersOf(query), ...likedBy }
    const list = JSON.stringify(['listRepos', sort, filters, actorId(ctx.actor)])
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next, total, facets } = await listRepos(ctx, filters, { sort, after, limit })
    const page = {
      items: await viewRepos(ctx, items),
      next_cursor: sealCursor(ctx, list, next),
      total,
      facets,
    }
    return c.json(page, 200)
  })
}

const DeletedPosition = z.strictObject({ at: z.number(), id: z.string() })

function mountDeleted(app: App): void {
  app.openapi(routes.listDeletedRepos, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const list = JSON.stringify(['listDeletedRepos', actorId(ctx.actor)])
    const after = openCursor(ctx, list, cursor, DeletedPosition)
    const { items, next } = await listDeletedRepos(ctx, { after, limit })
    const page = {
      items: await viewRepos(ctx, items),
      next_cursor: sealCursor(ctx, list, next),
      restore_window_seconds: Math.floor(ctx.config.repos.restore_window / 1000),
    }
    return c.json(page, 200)
  })
}

/** What the new head holds is read in the same change; what its files say, by a job. */
async function readDefault(ctx: Ctx, repo: Repo, branch: string): Promise<WriteHead | undefined> {
  const write = await readHead(ctx, repo, branch)
  return (
    write &&
    (async (tx) => {
      const isWritten = await write(tx)
      if (isWritten) await queueIndex(tx, ctx, repo.id)
      return isWritten
    })
  )
}

function mountLifeCycle(app: App): void {
  app.openapi(routes.createRepo, async (c) => {
    const { ctx } = c.var
    const { gated, init_readme, ...wanted } = c.req.valid('json')
    const repo = await createRepo(ctx, { ...wanted, gated: gated || undefined, initReadme: init_readme })
    return c.json(await viewRepo(ctx, repo), 201, { Location: apiPath(repo), ETag: settingsEtag(repo) })
  })

  app.openapi(routes.getRepo, async (c) => {
    const { ctx } = c.var
    const repo = await requireRepo(ctx, addressOf(c.req.valid('param')), 'repo.get')
    return c.json(await viewRepo(ctx, repo), 200, { ETag: settingsEtag(repo) })
  })

  app.openapi(routes.updateRepo, async (c) => {
    const { ctx } = c.var
    const { gated, default_branch, discussions_enabled, ...rest } = c.req.valid('json')
    const settings: RepoSettings = {
      ...rest,
      gated: gated === false ? null : gated,
      defaultBranch:
        default_branch === undefined
          ? undefined
          : {
              name: default_branch,
              readHead: (of, branch) => readDefault(ctx, of, branch),
            },
      discussionsEnabled: discussions_enabled,
    }
    const ifMatch = c.req.valid('header')['if-match']
    const address = addressOf(c.req.valid('param'))
    const repo = await updateRepo(ctx, address, settings, ifMatch)
    return c.json(await viewRepo(ctx, repo), 200, { ETag: settingsEtag(repo) })
  })

  app.openapi(routes.deleteRepo, async (c) => {
    await deleteRepo(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('header')['if-match'])
    return c.body(null, 204)
  })

  app.openapi(routes.restoreRepo, async (c) => {
    const repo = await restoreRepo(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json(await viewRepo(c.var.ctx, repo), 200)
  })

  app.openapi(routes.renameRepo, async (c) => {
    const repo = await renameRepo(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('json').name)
    return c.json(await viewRepo(c.var.ctx, repo), 200)
  })

  app.openapi(routes.transferRepo, async (c) => {
    const repo = await transferRepo(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('json').ns)
    return c.json(await viewRepo(c.var.ctx, repo), 200)
  })
}

/** The operations on repos besides their content. */
export function mountRepos(app: App): void {
  mountList(app)
  mountDeleted(app)
  mountPins(app)
  mountWatches(app)
  mountLifeCycle(app)
  mountPeople(app)
  mountRepoAdmin(app)
}
