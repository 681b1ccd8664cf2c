import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { accessRequestStatuses } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import {
  decideAccessRequest,
  grantAccess,
  listAccessRequests,
  type AccessRequest,
} from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { bodyOf, fit, Text } from '../wire/bodies.ts'
import { latestPositionOf } from './likes.ts'
import { pageResponse } from '../wire/pages.ts'
import { hubTime } from '../wire/params.ts'

const limit = 1000
const Status = z.enum(accessRequestStatuses)
const Decision = z.object({
  user: z.string().nullish(),
  // The client sends `requestId` (2.3 to 2.4: hf_api.py); its documentation writes `request_id`.
  requestId: z.string().nullish(),
  request_id: z.string().nullish(),
  status: Status,
  rejectionReason: Text.max(2000).nullish(),
})
const Grant = z.object({ user: z.string() })

// Email addresses stay private: the client accepts an answer without one.
const view = ({ id, user, displayName, status, requestedAt, fields }: AccessRequest) => ({
  requestId: id,
  user: { user, fullname: displayName },
  status,
  timestamp: hubTime(requestedAt),
  ...(fields ? { fields } : {}),
})

/** `GET /api/{t}/{repo}/user-access-request/{status}` */
async function sendRequests(c: Context<Env>): Promise<Response> {
  const status = fit(Status, c.req.param('status'))
  const page = { after: latestPositionOf(c), limit }
  const { items, next } = await listAccessRequests(c.var.ctx, addressOf(c), status, page)
  return pageResponse(c, items.map(view), next)
}

/** What is so already is a bad request here (hub-wire.md §11.4). */
async function refusingRepeats(act: Promise<unknown>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'state-conflict') throw error
    throw new Problem('invalid-request', { detail: error.detail ?? error.title, cause: error })
  }
}

/** Whose request a decision is about: the user's, or the one with the id. Problem `invalid-request` for none. */
function requestOf({ user, requestId, request_id }: z.infer<typeof Decision>) {
  const id = requestId ?? request_id
  if (user) return { username: user }
  if (id) return { id }
  throw new Problem('invalid-request', { detail: 'Send "user" or "requestId".' })
}

/** `POST /api/{t}/{repo}/user-access-request/handle` */
async function decide(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(c, Decision)
  const { status, rejectionReason } = body
  const decision = { status, ...(rejectionReason ? { reason: rejectionReason } : {}) }
  await refusingRepeats(decideAccessRequest(c.var.ctx, addressOf(c), requestOf(body), decision))
  return c.json({})
}

/** `POST /api/{t}/{repo}/user-access-request/grant` */
async function grant(c: Context<Env>): Promise<Response> {
  const { user } = await bodyOf(c, Grant)
  await refusingRepeats(grantAccess(c.var.ctx, addressOf(c), user))
  return c.json({})
}

const base = '/api/:t{models|datasets}/:ns/:name/user-access-request'

/** Who may read the files of a gated repo (hub-wire.md §11.4). */
export const accessRows: ['GET' | 'POST', string, (c: Context<Env>) => Promise<Response>][] = [
  ['POST', `${base}/handle`, decide],
  ['POST', `${base}/grant`, grant],
  ['GET', `${base}/:status`, sendRequests],
]
