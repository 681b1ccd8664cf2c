import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { requireUser } from '../../../core/access/index.ts'
import type { Visibility } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import {
  deleteRepo,
  moveRepo,
  pagePath,
  RepoMoved,
  updateRepo,
  type RepoAddress,
} from '../../../rooms/repos/index.ts'
import { createRepoWithFiles } from '../../../rooms/content/index.ts'
import { addressOf, repoTypeOf } from '../wire/address.ts'
import { bodyOf, Text } from '../wire/bodies.ts'
import { hubId } from '../wire/params.ts'

const Named = z.object({
  name: z.string(),
  organization: z.string().nullish(),
  type: z.unknown().optional(),
})

const Creation = Named.extend({
  private: z.boolean().nullish(),
  visibility: z.string().nullish(),
  license: z.string().nullish(),
  files: z
    .array(z.object({ path: z.string(), content: z.string(), encoding: z.literal('base64').optional() }))
    .optional(),
})

/** Address of a body's `name`, which may carry its namespace, as `organization` may; the caller's own unless given. */
export function addressIn(c: Context<Env>, { name, organization, type }: z.infer<typeof Named>): RepoAddress {
  const [first = '', second] = name.split('/', 2)
  const own = () => requireUser(c.var.ctx.actor).username
  const ns = organization ?? (second === undefined ? own() : first)
  return { type: repoTypeOf(type), ns, name: second ?? first }
}

interface Shown {
  visibility?: string | null | undefined
  private?: boolean | null | undefined
}

/** What a body asks for; Problem `invalid-request` for what is not offered. */
export function visibilityOf({ visibility, private: isPrivate }: Shown): Visibility | undefined {
  if (visibility === 'public' || visibility === 'private') return visibility
  if (visibility !== undefined && visibility !== null)
    throw new Problem('invalid-request', {
      detail: `The visibility "${visibility}" is not offered; use public or private.`,
    })
  if (typeof isPrivate !== 'boolean') return undefined
  return isPrivate ? 'private' : 'public'
}

/** The page of a repo, below the origin that the client used. */
export const repoUrl = (c: Context<Env>, address: RepoAddress): string =>
  `${c.var.ctx.origin.baseUrl}/${pagePath(address)}`

/** `POST /api/repos/create`. A duplicate answers 409 with the `url` that `exist_ok` reads. */
export async function createHubRepo(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  requireUser(ctx.actor)
  const body = await bodyOf(c, Creation)
  const address = addressIn(c, body)
  try {
    const files = body.files?.map(({ path, content }) => ({ path, bytes: Buffer.from(content, 'base64') }))
    const wanted = { ...address, visibility: visibilityOf(body), licence: body.license ?? undefined }
    const repo = await createRepoWithFiles(ctx, wanted, files ?? [])
    return c.json({ url: repoUrl(c, repo), name: `${repo.ns}/${repo.name}`, id: hubId(repo.id) })
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'name-taken')) throw error
    const message = `You already created this ${address.type} repo`
    return c.json({ error: message, url: repoUrl(c, address) }, 409, { 'X-Error-Message': message })
  }
}

/** `DELETE /api/repos/delete` */
export async function deleteHubRepo(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(c, Named)
  await following(addressIn(c, body), (address) => deleteRepo(c.var.ctx, address))
  return c.json({})
}

/** `POST /api/repos/move` */
export async function moveHubRepo(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(
    c,
    z.object({ fromRepo: z.string(), toRepo: z.string(), type: z.unknown().optional() }),
  )
  const from = addressIn(c, { name: body.fromRepo, type: body.type })
  const to = addressIn(c, { name: body.toRepo, type: body.type })
  try {
    await following(from, (address) => moveRepo(c.var.ctx, address, to))
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'name-taken')) throw error
    throw new Problem('name-taken', {
      detail: `A ${to.type} repo called ${to.ns}/${to.name} already exists`,
    })
  }
  return c.json({})
}

/** An old address in a body cannot be redirected by its path, so it is followed here. */
async function following<T>(address: RepoAddress, change: (address: RepoAddress) => Promise<T>): Promise<T> {
  try {
    return await change(address)
  } catch (error) {
    if (error instanceof RepoMoved) return change(error.to)
    throw error
  }
}

const Settings = z.object({
  private: z.boolean().nullish(),
  visibility: z.string().nullish(),
  gated: z.union([z.literal('auto'), z.literal('manual'), z.literal(false)]).nullish(),
  description: Text.max(2000).nullish(),
  discussionsDisabled: z.boolean().nullish(),
})

/** `PUT /api/{t}/{repo}/settings` */
export async function changeHubSettings(c: Context<Env>): Promise<Response> {
  const body = await bodyOf(c, Settings)
  const repo = await updateRepo(c.var.ctx, addressOf(c), {
    visibility: visibilityOf(body),
    gated: body.gated === false ? null : (body.gated ?? undefined),
    description: body.description ?? undefined,
    discussionsEnabled: typeof body.discussionsDisabled === 'boolean' ? !body.discussionsDisabled : undefined,
  })
  return c.json({ private: repo.visibility === 'private', gated: repo.gated ?? false })
}
