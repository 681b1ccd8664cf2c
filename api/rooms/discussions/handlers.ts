import { actorId } from '../../core/access/index.ts'
import { checkAddressPath } from '../content/index.ts'
import { changeView, diffOptions, fileDiffView, wantedDiff } from '../content/view.ts'
import type { Ctx } from '../../core/ctx.ts'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { headerDiff } from '../facts/index.ts'
import type { RepoAddress } from '../repos/index.ts'
import { addressOf } from '../repos/view.ts'
import { mountAttachmentUpload } from './attachments/handlers.ts'
import { comment } from './comment.ts'
import { diffOfPullRequest, filesOfPullRequest } from './diff.ts'
import { editComment, hideComment } from './edit-comment.ts'
import type { DiscussionEvent } from './event-queries.ts'
import { getDiscussion, type DiscussionThread } from './get.ts'
import { mountLabels } from './labels/handlers.ts'
import { countMatching, listDiscussions } from './list.ts'
import { marksOf } from './marks.ts'
import { mergePullRequest } from './merge.ts'
import { knownMergeStateOf, mergeStateOf } from './mergeable.ts'
import { mountNotifications } from './notifications/handlers.ts'
import { isDiscussionMuted, muteDiscussion } from './notifications/mute.ts'
import { openDiscussion } from './open.ts'
import type { Discussion } from './queries.ts'
import { listReactions } from './reactions/queries.ts'
import { react } from './reactions/react.ts'
import { approvalsOf } from './review/approvals.ts'
import { commitSuggestion } from './review/commit-suggestion.ts'
import { mountReviews } from './review/handlers.ts'
import { placesOf } from './review/place.ts'
import { listReviewers } from './review/reviewers.ts'
import { setResolved } from './review/thread.ts'
import * as routes from './routes.ts'
import type * as schemas from './schemas.ts'
import { updateDiscussion } from './update.ts'
import { discussionView, eventView, reactionView, type Shown } from './view.ts'

type CommentCreate = z.output<typeof schemas.CommentCreate>

/** The browser's calls carry a session, a client's do not. */
const viaOf = ({ actor }: Ctx) => (actor.kind === 'user' && actor.auth.kind === 'session' ? 'web' : 'api')

const stateOf = async (ctx: Ctx, { repoId, pull }: Discussion) =>
  pull && (await mergeStateOf(ctx, repoId, pull))

/** What the viewer sees beside these entries of a thread. */
async function shownIn(ctx: Ctx, { repo, discussion, events }: DiscussionThread): Promise<Shown> {
  const user = actorId(ctx.actor)
  const [reactions, places, isMuted] = await Promise.all([
    listReactions(ctx.db, user, { discussionId: discussion.id }),
    placesOf(ctx, repo, discussion.pull, events),
    user === null ? undefined : isDiscussionMuted(ctx.db, discussion.id, user),
  ])
  return { reactions, places, isMuted }
}

async function threadView(ctx: Ctx, thread: DiscussionThread) {
  const { repo, discussion, events } = thread
  const reviewers = (await listReviewers(ctx.db, repo, [discussion])).get(discussion.id)
  const { pull, status } = discussion
  const approvals =
    pull && status === 'open'
      ? await approvalsOf(ctx, ctx.db, { repo, pull, reviewers: reviewers ?? [] })
      : undefined
  const shown = { ...(await shownIn(ctx, thread)), reviewers, approvals }
  const marks = (await marksOf(ctx.db, [discussion]))(discussion)
  return discussionView(discussion, marks, await stateOf(ctx, discussion), events, shown)
}

/** A discussion without its thread. */
async function headView(ctx: Ctx, discussion: Discussion) {
  const marks = (await marksOf(ctx.db, [discussion]))(discussion)
  return discussionView(discussion, marks, await stateOf(ctx, discussion))
}

const wantedPlace = ({ start_line: startLine, ...rest }: NonNullable<CommentCreate['place']>) => ({
  ...rest,
  startLine,
})

/** One entry, as the thread shows it. */
async function commentView(ctx: Ctx, address: RepoAddress, num: number, event: DiscussionEvent) {
  const thread = await getDiscussion(ctx, address, num)
  return eventView(event, await shownIn(ctx, { ...thread, events: [event] }))
}

const Position = z.strictObject({ before: z.int() })

function mountList(app: App): void {
  app.openapi(routes.listDiscussions, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c.req.valid('param'))
    const { cursor, limit, q, ...rest } = c.req.valid('query')
    const filters = { ...rest, words: q?.split(/\s+/).filter((word) => word !== '') }
    const list = JSON.stringify(['listDiscussions', address, filters])
    const before = openCursor(ctx, list, cursor, Position)?.before
    const { repo, discussions, next } = await listDiscussions(ctx, address, { ...filters, before, limit })
    const reviewers = await listReviewers(ctx.db, repo, discussions)
    const marks = await marksOf(ctx.db, discussions)
    const items = await Promise.all(
      discussions.map(async (each) => {
        const state = each.pull && (await knownMergeStateOf(ctx, each.repoId, each.pull))
        return discussionView(each, marks(each), state, undefined, { reviewers: reviewers.get(each.id) })
      }),
    )
    const position = next === undefined ? undefined : { before: next }
    const counts = await countMatching(ctx, repo, { ...filters, status: undefined })
    return c.json({ items, next_cursor: sealCursor(ctx, list, position), counts }, 200)
  })
}

function mountThreads(app: App): void {
  app.openapi(routes.createDiscussion, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c.req.valid('param'))
    const { num } = await openDiscussion(ctx, address, { ...c.req.valid('json'), via: viaOf(ctx) })
    const thread = await getDiscussion(ctx, address, num)
    const view = await threadView(ctx, thread)
    return c.json(view, 201, { Location: `${c.req.path}/${num}` })
  })

  app.openapi(routes.getDiscussion, async (c) => {
    const { ctx } = c.var
    const { num, ...params } = c.req.valid('param')
    return c.json(await threadView(ctx, await getDiscussion(ctx, addressOf(params), num)), 200)
  })

  app.openapi(routes.updateDiscussion, async (c) => {
    const { ctx } = c.var
    const { num, ...params } = c.req.valid('param')
    const { discussion } = await updateDiscussion(ctx, addressOf(params), num, c.req.valid('json'))
    return c.json(await headView(ctx, discussion), 200)
  })
}

function mountMutes(app: App): void {
  for (const [route, isMuted] of [
    [routes.muteDiscussion, true],
    [routes.unmuteDiscussion, false],
  ] as const)
    app.openapi(route, async (c) => {
      const { num, ...params } = c.req.valid('param')
      await muteDiscussion(c.var.ctx, addressOf(params), num, isMuted)
      return c.body(null, 204)
    })
}

function mountComments(app: App): void {
  app.openapi(routes.createComment, async (c) => {
    const { num, ...params } = c.req.valid('param')
    const { ctx } = c.var
    const { body, place } = c.req.valid('json')
    const address = addressOf(params)
    const event = await comment(ctx, address, num, body, place && wantedPlace(place))
    const thread = c.req.path.replace(/\/comments$/, '')
    return c.json(await commentView(ctx, address, num, event), 201, { Location: thread })
  })

  app.openapi(routes.editComment, async (c) => {
    const { num, id, ...params } = c.req.valid('param')
    const { ctx } = c.var
    const address = addressOf(params)
    const event = await editComment(ctx, address, { num, id }, c.req.valid('json').body)
    return c.json(await commentView(ctx, address, num, event), 200)
  })

  app.openapi(routes.hideComment, async (c) => {
    const { num, id, ...params } = c.req.valid('param')
    return c.json(eventView(await hideComment(c.var.ctx, addressOf(params), { num, id })), 200)
  })

  for (const [route, isWanted] of [
    [routes.resolveThread, true],
    [routes.reopenThread, false],
  ] as const)
    app.openapi(route, async (c) => {
      const { num, id, ...params } = c.req.valid('param')
      const { ctx } = c.var
      const address = addressOf(params)
      const first = await setResolved(ctx, address, { num, id }, isWanted)
      return c.json(await commentView(ctx, address, num, first), 200)
    })

  for (const [route, isWanted] of [
    [routes.addReaction, true],
    [routes.removeReaction, false],
  ] as const)
    app.openapi(route, async (c) => {
      const { num, id, reaction, ...params } = c.req.valid('param')
      const found = await react(c.var.ctx, addressOf(params), { num, id, reaction }, isWanted)
      return c.json({ items: found.map(reactionView) }, 200)
    })
}

function mountPullRequests(app: App): void {
  app.openapi(routes.commitSuggestion, async (c) => {
    const { ctx } = c.var
    const { num, id, ...params } = c.req.valid('param')
    const { head, number, title, body } = c.req.valid('json')
    const wanted = { head, number, title, body, via: viaOf(ctx) } as const
    const { commit, ref, changed } = await commitSuggestion(ctx, addressOf(params), { num, id }, wanted)
    return c.json({ commit, ref, changed }, 201)
  })

  app.openapi(routes.getPullRequestFiles, async (c) => {
    const { num, ...params } = c.req.valid('param')
    const found = await filesOfPullRequest(
      c.var.ctx,
      addressOf(params),
      num,
      diffOptions(c.req.valid('query')),
    )
    const answer = {
      base_commit: found.base,
      head_commit: found.head,
      files: found.files.map(changeView),
      truncated: found.isTruncated || found.isUncounted,
    }
    return c.json(answer, 200)
  })

  app.openapi(routes.getDiscussionDiff, async (c) => {
    const { num, ...params } = c.req.valid('param')
    const query = c.req.valid('query')
    checkAddressPath(query.path)
    const { ctx } = c.var
    const found = await diffOfPullRequest(ctx, addressOf(params), num, wantedDiff(query))
    return c.json(fileDiffView(found, await headerDiff(ctx, addressOf(params), found)), 200)
  })

  app.openapi(routes.mergePullRequest, async (c) => {
    const { ctx } = c.var
    const { num, ...params } = c.req.valid('param')
    const { discussion } = await mergePullRequest(ctx, addressOf(params), num, c.req.valid('json'))
    return c.json(await headView(ctx, discussion), 200)
  })
}

/** Discussions and pull requests of the native API. */
export function mountDiscussions(app: App): void {
  mountList(app)
  mountThreads(app)
  mountMutes(app)
  mountComments(app)
  mountPullRequests(app)
  mountReviews(app)
  mountLabels(app)
  mountAttachmentUpload(app)
  mountNotifications(app)
}
