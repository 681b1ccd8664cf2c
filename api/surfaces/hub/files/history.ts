import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  findUsernames,
  listCommits,
  listRefs,
  shortName,
  superSquash,
  type ListedRef,
} from '../../../rooms/content/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { avatarPath } from '../../../rooms/namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf, revisionAndPath } from '../wire/address.ts'
import { bodyOf, fit } from '../wire/bodies.ts'
import { guardConversion } from '../repos/conversion-guard.ts'
import { pageResponse, positionOf, queryOf } from '../wire/pages.ts'
import { countOf, flagOf, hubTime, listOf } from '../wire/params.ts'
import { withCode } from '../wire/text.ts'

const refView = (ref: ListedRef) => ({ name: shortName(ref), ref: ref.name, targetCommit: ref.commit })

/** `GET /api/{t}/{repo}/refs` */
export async function listHubRefs(c: Context<Env>): Promise<Response> {
  const refs = await listRefs(c.var.ctx, addressOf(c))
  const below = (prefix: string) => refs.filter(({ name }) => name.startsWith(prefix)).map(refView)
  return c.json({
    branches: below('refs/heads/'),
    tags: below('refs/tags/'),
    converts: below('refs/convert/'),
    ...(flagOf(c.req.query('include_prs')) ? { pullRequests: below('refs/pr/') } : {}),
  })
}

const pageCommits = 50
const maxCommits = 1000
const Position = z.object({ head: z.string(), after: z.string() })

/** `GET /api/{t}/{repo}/commits/{rev}`: newest first, with the whole count; `p` jumps to a page. */
export async function listHubCommits(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const address = addressOf(c)
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { revision, path } = await revisionAndPath(c, repo.id, 5)
  await guardConversion(c, revision)
  const limit = countOf(query, 'limit', pageCommits, maxCommits)
  const isFormatted = listOf(query, 'expand').includes('formatted')
  const position = positionOf(c)
  const from = position === undefined ? undefined : fit(Position, position)
  const offset = from ? 0 : Number(query.get('p') ?? 0) * limit
  const page = await listCommits(ctx, address, {
    revision: revision.commit,
    path,
    from,
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    limit,
  })
  const accounts = await findUsernames(
    ctx.db,
    page.commits.flatMap(({ userId }) => userId ?? []),
  )
  const items = page.commits.map(({ sha, subject, body, author, userId }) => {
    const user = accounts.get(userId ?? '') ?? author.name
    return {
      id: sha,
      title: subject,
      message: body,
      authors: [{ user, avatar: ctx.origin.baseUrl + avatarPath(user) }],
      date: hubTime(author.at),
      ...(isFormatted && { formatted: { title: withCode(subject), message: withCode(body) } }),
    }
  })
  return pageResponse(c, items, page.next, { 'X-Total-Count': String(page.total) })
}

const NewBranch = z.object({
  startingPoint: z.string().nullish(),
  emptyBranch: z.boolean().nullish(),
  overwrite: z.boolean().nullish(),
})

/** A bad ref name is 400 here, as the client's tests expect, and never a `refs/…`. */
function badName(error: unknown): unknown {
  const isName =
    error instanceof Problem && (error.code === 'invalid-name' || error.code === 'validation-failed')
  return isName
    ? new Problem('invalid-request', { detail: 'Invalid reference for a branch', cause: error })
    : error
}

/** `POST /api/{t}/{repo}/branch/{branch}` */
export async function createHubBranch(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(c, NewBranch)
  try {
    await createBranch(c.var.ctx, addressOf(c), {
      name: c.req.param('branch') ?? '',
      via: 'api',
      ...(body.startingPoint ? { from: body.startingPoint } : {}),
      ...(body.emptyBranch ? { isEmpty: true } : {}),
      ...(body.overwrite ? { overwrite: true } : {}),
    })
  } catch (error) {
    throw badName(error)
  }
  return c.json({})
}

/** `DELETE /api/{t}/{repo}/branch/{branch}` */
export async function deleteHubBranch(c: Context<Env>): Promise<Response> {
  const name = c.req.param('branch') ?? ''
  try {
    await deleteBranch(c.var.ctx, addressOf(c), name, 'api')
  } catch (error) {
    if (error instanceof Problem && error.code === 'state-conflict')
      throw new Problem('forbidden', { detail: `Cannot delete refs/heads/${name}`, cause: error })
    throw error
  }
  return c.json({})
}

/** `POST /api/{t}/{repo}/tag/{rev}` */
export async function createHubTag(c: Context<Env>): Promise<Response> {
  const { tag, message } = await bodyOf(c, z.object({ tag: z.string(), message: z.string().nullish() }))
  try {
    await createTag(c.var.ctx, addressOf(c), {
      name: tag,
      revision: c.req.param('rev') ?? '',
      via: 'api',
      ...(message ? { message } : {}),
    })
  } catch (error) {
    throw badName(error)
  }
  return c.json({})
}

/** `DELETE /api/{t}/{repo}/tag/{tag}` */
export async function deleteHubTag(c: Context<Env>): Promise<Response> {
  await deleteTag(c.var.ctx, addressOf(c), c.req.param('tag') ?? '', 'api')
  return c.json({})
}

/** `POST /api/{t}/{repo}/super-squash/{branch}`. A tag or a full ref name is no branch: 400, as the client documents. */
export async function squashHubBranch(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { message } = await bodyOf(c, z.object({ message: z.string().nullish() }))
  const branch = c.req.param('branch') ?? ''
  try {
    await superSquash(ctx, addressOf(c), branch, message ?? '')
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'revision-not-found')) throw error
    const refs = await listRefs(ctx, addressOf(c))
    if (refs.some(({ name }) => name === branch || name === `refs/tags/${branch}`))
      throw new Problem('invalid-request', { detail: 'Invalid reference for a branch', cause: error })
    throw error
  }
  return c.json({})
}
