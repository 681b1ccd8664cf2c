import type { Ctx } from '../../core/ctx.ts'
import { commitAnywhere } from '../discussions/index.ts'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { getJob } from '../../core/jobs/index.ts'
import { viewJob } from '../../core/jobs/view.ts'
import { pagePath } from '../repos/index.ts'
import { addressOf } from '../repos/view.ts'
import { headerDiff } from '../facts/index.ts'
import { fileVerdicts } from '../scans/index.ts'
import { createBranch, deleteBranch } from './refs/branches.ts'
import { getBlame } from './read/blame.ts'
import { getCommit } from './read/commit-detail.ts'
import { listCommits } from './read/commits.ts'
import { compareRevisions, diffOfRevisions, getDivergence } from './read/compare.ts'
import { listContributors } from './read/contributors.ts'
import { listMerged } from './read/merged.ts'
import { diffOfCommit } from './read/diff.ts'
import { purgeUnreachable } from './purge-unreachable.ts'
import { findUsernames } from './queries.ts'
import { listRefs } from './refs/refs.ts'
import { operationsOf } from './commit/request-operations.ts'
import { checkAddressPath, checkRevision } from './read/revision.ts'
import * as routes from './routes.ts'
import { createTag, deleteTag } from './refs/tags.ts'
import { listTree, type TreeQuery } from './read/tree.ts'
import * as view from './view.ts'
import { mountBranchRules } from './branch-rules/handlers.ts'
import { mountCards } from './cards/handlers.ts'
import { mountZip } from './exports/handlers.ts'

/** The browser's calls carry a session, a client's do not. */
const viaOf = ({ actor }: Ctx) => (actor.kind === 'user' && actor.auth.kind === 'session' ? 'web' : 'api')

async function shownWith(ctx: Ctx, records: { userId?: string }[]): Promise<view.Shown> {
  const ids = records.flatMap(({ userId }) => userId ?? [])
  return { usernames: await findUsernames(ctx.db, ids) }
}

function mountRefs(app: App): void {
  app.openapi(routes.getRefs, async (c) =>
    c.json(view.refsView(await listRefs(c.var.ctx, addressOf(c.req.valid('param')))), 200),
  )

  app.openapi(routes.createBranch, async (c) => {
    const { ctx } = c.var
    const { name, from } = c.req.valid('json')
    const start = from === undefined ? {} : { from }
    const branch = await createBranch(ctx, addressOf(c.req.valid('param')), {
      name,
      via: viaOf(ctx),
      ...start,
    })
    return c.json(view.refView(branch), 201, { Location: `${c.req.path}/${encodeURIComponent(name)}` })
  })

  app.openapi(routes.deleteBranch, async (c) => {
    const { branch, ...address } = c.req.valid('param')
    await deleteBranch(c.var.ctx, addressOf(address), branch, viaOf(c.var.ctx))
    return c.body(null, 204)
  })

  app.openapi(routes.createTag, async (c) => {
    const { ctx } = c.var
    const { name, revision, message } = c.req.valid('json')
    const tag = await createTag(ctx, addressOf(c.req.valid('param')), {
      name,
      via: viaOf(ctx),
      ...(revision === undefined ? {} : { revision }),
      ...(message === undefined ? {} : { message }),
    })
    return c.json(view.refView(tag), 201, { Location: `${c.req.path}/${encodeURIComponent(name)}` })
  })

  app.openapi(routes.deleteTag, async (c) => {
    const { tag, ...address } = c.req.valid('param')
    await deleteTag(c.var.ctx, addressOf(address), tag, viaOf(c.var.ctx))
    return c.body(null, 204)
  })
}

const CommitsPosition = z.strictObject({ head: z.string(), after: z.string() })

function mountCommits(app: App): void {
  app.openapi(routes.listCommits, async (c) => {
    const { ctx } = c.var
    const params = c.req.valid('param')
    const { rev, path, cursor, limit } = c.req.valid('query')
    if (rev !== undefined) checkRevision(rev)
    if (path !== undefined) checkAddressPath(path)
    const list = JSON.stringify(['listCommits', params, rev, path])
    const from = openCursor(ctx, list, cursor, CommitsPosition)
    const { commits, boundary, next } = await listCommits(ctx, addressOf(params), {
      revision: rev,
      path,
      from,
      limit,
    })
    const shown = await shownWith(ctx, commits)
    const items = commits.map((record) => view.commitView(record, shown, boundary))
    return c.json({ items, next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.listMergedCommits, async (c) => {
    const { ctx } = c.var
    const params = c.req.valid('param')
    const { commits, isTruncated } = await listMerged(ctx, addressOf(params), params.sha)
    const shown = await shownWith(ctx, commits)
    const items = commits.map((record) => view.commitView(record, shown))
    return c.json({ items, truncated: isTruncated }, 200)
  })

  app.openapi(routes.listContributors, async (c) => {
    const { ctx } = c.var
    const { rev } = c.req.valid('query')
    if (rev !== undefined) checkRevision(rev)
    const found = await listContributors(ctx, addressOf(c.req.valid('param')), rev)
    return c.json(view.contributorsView(found, await shownWith(ctx, found.people)), 200)
  })

  app.openapi(routes.createCommit, async (c) => {
    const { ctx } = c.var
    const { branch, parent_commit, create_pull_request, draft, title, body, operations } = c.req.valid('json')
    const made = await commitAnywhere(ctx, addressOf(c.req.valid('param')), {
      createPullRequest: create_pull_request ?? false,
      isDraft: draft ?? false,
      title,
      operations: operationsOf(operations),
      via: viaOf(ctx),
      ...(body === undefined ? {} : { body }),
      ...(branch === undefined ? {} : { branch }),
      ...(parent_commit === undefined ? {} : { parentCommit: parent_commit }),
    })
    const { opened } = made
    const url = `${ctx.config.server.public_url}/${pagePath(made.repo)}/discussions/${opened}`
    const answer = {
      commit: made.commit,
      ref: made.ref,
      changed: made.changed,
      ...(opened === undefined ? {} : { pull_request: { num: opened, url } }),
    }
    return c.json(answer, 201, { Location: `${c.req.path}/${made.commit}` })
  })

  app.openapi(routes.getCommit, async (c) => {
    const { sha, ...address } = c.req.valid('param')
    const detail = await getCommit(c.var.ctx, addressOf(address), sha, view.diffOptions(c.req.valid('query')))
    return c.json(view.commitDetailView(detail, await shownWith(c.var.ctx, [detail.commit])), 200)
  })

  app.openapi(routes.getCommitDiff, async (c) => {
    const { sha, ...address } = c.req.valid('param')
    const query = c.req.valid('query')
    checkAddressPath(query.path)
    const { ctx } = c.var
    const found = await diffOfCommit(ctx, addressOf(address), sha, view.wantedDiff(query))
    return c.json(view.fileDiffView(found, await headerDiff(ctx, addressOf(address), found)), 200)
  })
}

function mountComparisons(app: App): void {
  app.openapi(routes.compareRevisions, async (c) => {
    const asked = c.req.valid('query')
    checkRevision(asked.base)
    checkRevision(asked.head)
    const address = addressOf(c.req.valid('param'))
    const found = await compareRevisions(c.var.ctx, address, asked, view.diffOptions(asked))
    const files = found.files.map(view.changeView)
    const truncated = found.isTruncated || found.isUncounted
    return c.json({ ...view.divergenceView(found), files, truncated }, 200)
  })

  app.openapi(routes.getComparisonDiff, async (c) => {
    const { ctx } = c.var
    const asked = c.req.valid('query')
    checkRevision(asked.base)
    checkRevision(asked.head)
    checkAddressPath(asked.path)
    const address = addressOf(c.req.valid('param'))
    const found = await diffOfRevisions(ctx, address, asked, view.wantedDiff(asked))
    return c.json(view.fileDiffView(found, await headerDiff(ctx, address, found)), 200)
  })

  app.openapi(routes.getDivergence, async (c) => {
    const asked = c.req.valid('query')
    checkRevision(asked.base)
    checkRevision(asked.head)
    const found = await getDivergence(c.var.ctx, addressOf(c.req.valid('param')), asked)
    return c.json(view.divergenceView(found), 200)
  })
}

interface TreeRequest {
  params: Parameters<typeof addressOf>[0] & { rev: string; path?: string }
  query: { recursive?: boolean | undefined; cursor?: string | undefined; limit: number }
}

async function treeAnswer(ctx: Ctx, { params, query }: TreeRequest) {
  const { rev, path = '', ...address } = params
  checkRevision(rev)
  checkAddressPath(path)
  const isRecursive = query.recursive ?? false
  const list = JSON.stringify(['tree', params, isRecursive])
  const from = openCursor(ctx, list, query.cursor, TreePosition)
  const wanted: TreeQuery = {
    revision: from?.commit ?? rev,
    path,
    isRecursive,
    withLastCommits: !isRecursive,
    limit: query.limit,
    ...(from ? { after: from.after } : {}),
  }
  const { entries, file, next, ...page } = await listTree(ctx, addressOf(address), wanted)
  const listed = [...entries, ...(file ? [file] : [])]
  const shown = {
    ...(await shownWith(
      ctx,
      listed.flatMap(({ lastCommit }) => lastCommit ?? []),
    )),
    scans: await fileVerdicts(ctx, listed),
  }
  const position = next === undefined ? undefined : { commit: page.commit, after: next }
  return {
    ...page,
    entries: entries.map((entry) => view.entryView(entry, shown)),
    next_cursor: sealCursor(ctx, list, position),
    ...(file ? { file: view.entryView(file, shown) } : {}),
  }
}

const TreePosition = z.strictObject({ commit: z.string(), after: z.string() })

function mountTree(app: App): void {
  app.openapi(routes.getTree, async (c) =>
    c.json(await treeAnswer(c.var.ctx, { params: c.req.valid('param'), query: c.req.valid('query') }), 200),
  )

  app.openapi(routes.getTreePath, async (c) =>
    c.json(await treeAnswer(c.var.ctx, { params: c.req.valid('param'), query: c.req.valid('query') }), 200),
  )
}

function mountBlame(app: App): void {
  app.openapi(routes.getBlame, async (c) => {
    const { ctx } = c.var
    const { rev, path, ...address } = c.req.valid('param')
    checkRevision(rev)
    checkAddressPath(path)
    const found = await getBlame(ctx, addressOf(address), { revision: rev, path })
    return c.json(view.blameView(found, await shownWith(ctx, found.commits)), 200)
  })
}

function mountPurge(app: App): void {
  app.openapi(routes.purgeUnreachable, async (c) => {
    const { ctx } = c.var
    const { id } = await purgeUnreachable(ctx, addressOf(c.req.valid('param')))
    const job = await viewJob(ctx, [], await getJob(ctx, id))
    return c.json(job, 202, { Location: `${nativeBase}/jobs/${id}` })
  })
}

/** The operations on a repo's content. */
export function mountContent(app: App): void {
  mountRefs(app)
  mountBranchRules(app)
  mountCommits(app)
  mountComparisons(app)
  mountTree(app)
  mountBlame(app)
  mountZip(app)
  mountCards(app)
  mountPurge(app)
}
