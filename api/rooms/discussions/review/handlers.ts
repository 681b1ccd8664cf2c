import { time } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import { addressOf } from '../../repos/view.ts'
import { eventView, reviewerView } from '../view.ts'
import { listReviewRequests } from './list-requests.ts'
import { requestReview } from './requests.ts'
import { listReviewers } from './reviewers.ts'
import * as routes from './routes.ts'
import { submitReview } from './submit.ts'

/** Reviews of pull requests, and who is asked for one. */
export function mountReviews(app: App): void {
  app.openapi(routes.createReview, async (c) => {
    const { num, ...params } = c.req.valid('param')
    const { comments, ...rest } = c.req.valid('json')
    const review = await submitReview(c.var.ctx, addressOf(params), num, {
      ...rest,
      comments: comments.map(({ place: { start_line: startLine, ...place }, body }) => ({
        place: { ...place, startLine },
        body,
      })),
    })
    const thread = c.req.path.replace(/\/reviews$/, '')
    return c.json(eventView(review), 201, { Location: thread })
  })

  for (const [route, isWanted] of [
    [routes.requestReview, true],
    [routes.withdrawReviewRequest, false],
  ] as const)
    app.openapi(route, async (c) => {
      const { ctx } = c.var
      const { num, user: username, ...params } = c.req.valid('param')
      const { repo, discussion } = await requestReview(ctx, addressOf(params), { num, username }, isWanted)
      const reviewers = (await listReviewers(ctx.db, repo, [discussion])).get(discussion.id) ?? []
      return c.json({ items: reviewers.map(reviewerView) }, 200)
    })

  app.openapi(routes.listReviewRequests, async (c) => {
    const requests = await listReviewRequests(c.var.ctx)
    const items = requests.map(({ requestedBy, createdAt, ...rest }) => ({
      ...rest,
      requested_by: requestedBy ?? undefined,
      created_at: time(createdAt),
    }))
    return c.json({ items }, 200)
  })
}
