import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { accessRequestStatuses } from '../../shared/vocabulary.ts'
import type { Env } from '../http/env.ts'
import { Problem } from '../problems/index.ts'
import { decideAccessRequest, grantAccess, listAccessRequests, type AccessRequest } from '../repos/index.ts'
import { addressOf } from './address.ts'
import { bodyOf, fit, Text } from './bodies.ts'
import { latestPositionOf } from './likes.ts'
import { pageResponse } from './pages.ts'
import { hubTime } from './params.ts'

const limit = 1000
const Status = z.enum(accessRequestStatuses)
const Decision = z.object({
  user: z.string(),
  status: Status,
  rejectionReason: Text.max(2000).nullish(),
})
const Grant = z.object({ user: z.string() })

// Email addresses of others are shown to nobody; the client takes an answer without one.
const view = ({ user, displayName, status, requestedAt, fields }: AccessRequest) => ({
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

/** `POST /api/{t}/{repo}/user-access-request/handle` */
async function decide(c: Context<Env>): Promise<Response> {
  const { user, status, rejectionReason } = await bodyOf(c, Decision)
  const decision = { status, ...(rejectionReason ? { reason: rejectionReason } : {}) }
  await refusingRepeats(decideAccessRequest(c.var.ctx, addressOf(c), { username: user }, decision))
  return c.json({})
}

/** `POST /api/{t}/{repo}/user-access-request/grant` */
async function grant(c: Context<Env>): Promise<Response> {
  const { user } = await bodyOf(c, Grant)
  await refusingRepeats(grantAccess(c.var.ctx, addressOf(c), user))
  return c.json({})
}

const base = '/api/:t{models|datasets}/:ns/:name/user-access-request'

/** Who may read the files of a gated Repo (hub-wire.md §11.4). */
export const accessRows: ['GET' | 'POST', string, (c: Context<Env>) => Promise<Response>][] = [
  ['POST', `${base}/handle`, decide],
  ['POST', `${base}/grant`, grant],
  ['GET', `${base}/:status`, sendRequests],
]
