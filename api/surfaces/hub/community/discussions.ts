import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import {
  comment,
  countMatching,
  editComment,
  getDiscussion,
  hideComment,
  listDiscussions,
  mergePullRequest,
  mergeStateOf,
  openDiscussion,
  patchOfPullRequest,
  updateDiscussion,
  type DiscussionFilters,
} from '../../../rooms/discussions/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { pagePath } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { bodyOf } from '../wire/bodies.ts'
import { hubDiscussion, hubEvent, hubEvents } from './discussion-view.ts'
import { queryOf } from '../wire/pages.ts'
import { flagOf, hubId, hubTime } from '../wire/params.ts'

type Handler = (c: Context<Env>) => Promise<Response>

const pageSize = 50
const maxPage = 100_000

function numOf(c: Context<Env>): number {
  const text = c.req.param('num') ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem('not-found', { detail: 'There is no such discussion.' })
  return Number(text)
}

function oneOf<T extends string>(query: URLSearchParams, key: string, values: readonly T[]): T | undefined {
  const text = query.get(key)
  if (text === null || text === '' || text === 'all') return undefined
  const value = values.find((each) => each === text)
  if (value !== undefined) return value
  throw new Problem('invalid-request', { detail: `"${key}" must be all or one of ${values.join(', ')}` })
}

function filtersOf(query: URLSearchParams): DiscussionFilters {
  const author = query.get('author')
  return {
    kind: oneOf(query, 'type', ['discussion', 'pull_request']),
    status: oneOf(query, 'status', ['open', 'closed']),
    ...(author ? { author } : {}),
  }
}

/** `GET /api/{t}/{repo}/discussions`: by pages' numbers from 0, newest first. */
async function list(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const filters = filtersOf(query)
  const page = query.get('p') ?? '0'
  if (!/^\d{1,6}$/.test(page) || Number(page) > maxPage)
    throw new Problem('invalid-request', { detail: '"p" must be a whole number from 0' })
  const start = Number(page) * pageSize
  const wanted = { ...filters, offset: start, limit: pageSize }
  const { repo, discussions } = await listDiscussions(ctx, addressOf(c), wanted)
  const { open, closed } = await countMatching(ctx, repo, filters)
  return c.json({
    discussions: discussions.map((each) => hubDiscussion(ctx, repo, each)),
    count: open + closed,
    start,
  })
}

const New = z.object({
  title: z.string(),
  description: z.string().nullish(),
  pullRequest: z.boolean().nullish(),
})

/** `POST /api/{t}/{repo}/discussions` */
async function open(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { title, description, pullRequest } = await bodyOf(c, New)
  const kind = pullRequest ? 'pull_request' : 'discussion'
  const wanted = { kind, title, body: description ?? '', via: 'api' } as const
  const { repo, num } = await openDiscussion(ctx, addressOf(c), wanted)
  const url = `${ctx.origin.baseUrl}/${pagePath(repo)}/discussions/${num}`
  return c.json({ num, pullRequest: pullRequest ?? false, url })
}

/** `GET /api/{t}/{repo}/discussions/{num}[?diff=1]` */
async function read(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { repo, discussion, events } = await getDiscussion(ctx, addressOf(c), numOf(c))
  const shown = { ...hubDiscussion(ctx, repo, discussion), events: hubEvents(ctx, events) }
  const { pull } = discussion
  if (!pull) return c.json(shown)
  const { conflicts, mergeable } = await mergeStateOf(ctx, repo.id, pull)
  const diff = flagOf(c.req.query('diff')) ? await patchOfPullRequest(ctx, repo, pull) : undefined
  return c.json({
    ...shown,
    changes: { base: pull.baseRef, ...(pull.merged ? { mergeCommitId: pull.merged.commit } : {}) },
    // `true`: there are some that have no name.
    filesWithConflicts: mergeable === 'conflicts' && conflicts.length === 0 ? true : conflicts,
    ...(diff === undefined ? {} : { diff }),
  })
}

/** `POST …/{num}/comment` */
async function addComment(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const body = await bodyOf(c, z.object({ comment: z.string() }))
  return c.json({ newMessage: hubEvent(ctx, await comment(ctx, addressOf(c), numOf(c), body.comment)) })
}

const commentAt = (c: Context<Env>) => ({ num: numOf(c), id: c.req.param('id') ?? '' })

/** `POST …/{num}/comment/{id}/edit` */
async function edit(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { content } = await bodyOf(c, z.object({ content: z.string() }))
  const edited = await editComment(ctx, addressOf(c), commentAt(c), content)
  return c.json({ updatedComment: hubEvent(ctx, edited) })
}

/** `POST …/{num}/comment/{id}/hide`: no body, and perhaps no type of it. */
async function hide(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  return c.json({ updatedComment: hubEvent(ctx, await hideComment(ctx, addressOf(c), commentAt(c))) })
}

/** `POST …/{num}/title` */
async function retitle(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { title } = await bodyOf(c, z.object({ title: z.string() }))
  const { discussion, retitled } = await updateDiscussion(ctx, addressOf(c), numOf(c), { title })
  // The client wants an event also where there was nothing to change.
  const same = { from: discussion.title, to: discussion.title }
  const newTitle = retitled
    ? hubEvent(ctx, retitled)
    : { id: hubId(discussion.id), type: 'title-change', createdAt: hubTime(ctx.now()), data: same }
  return c.json({ newTitle })
}

const NewStatus = z.object({ status: z.enum(['open', 'closed']), comment: z.string().nullish() })

/** `POST …/{num}/status` */
async function setStatus(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { status, comment: said } = await bodyOf(c, NewStatus)
  const change = { status, ...(said ? { comment: said } : {}) }
  const { discussion, moved } = await updateDiscussion(ctx, addressOf(c), numOf(c), change)
  const newStatus = moved
    ? hubEvent(ctx, moved)
    : { id: hubId(discussion.id), type: 'status-change', createdAt: hubTime(ctx.now()), data: { status } }
  return c.json({ newStatus })
}

/** `POST …/{num}/merge`: perhaps without a body. */
async function merge(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(c, z.object({ comment: z.string().nullish() }).nullable())
  const said = body?.comment ?? undefined
  await mergePullRequest(c.var.ctx, addressOf(c), numOf(c), { comment: said, mayBeDraft: true })
  return c.json({})
}

const discussions = '/api/:t{models|datasets}/:ns/:name/discussions'

/** The community's rows of the hub surface (hub-wire.md §9). */
export const discussionRows: ['GET' | 'POST', string, Handler][] = [
  ['GET', discussions, list],
  ['POST', discussions, open],
  ['GET', `${discussions}/:num`, read],
  ['POST', `${discussions}/:num/comment`, addComment],
  ['POST', `${discussions}/:num/comment/:id/edit`, edit],
  ['POST', `${discussions}/:num/comment/:id/hide`, hide],
  ['POST', `${discussions}/:num/title`, retitle],
  ['POST', `${discussions}/:num/status`, setStatus],
  ['POST', `${discussions}/:num/merge`, merge],
]
