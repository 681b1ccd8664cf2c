import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { WebhookEvent } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  type Watch,
  type Webhook,
} from '../../../rooms/webhooks/index.ts'
import { bodyOf } from '../wire/bodies.ts'
import { hubId } from '../wire/params.ts'

type Handler = (c: Context<Env>) => Promise<Response>

/** As many as a person can have. */
const most = 100

// hub-wire.md §11.4: each domain stands for all events whose names begin so.
const domains: Record<'repo' | 'discussions', WebhookEvent[]> = {
  repo: ['repo', 'repo.content', 'repo.config'],
  discussions: ['discussion', 'discussion.comment'],
}

const Domain = z
  .enum(['repo', 'discussions', 'discussion'])
  .transform((domain) => (domain === 'discussion' ? 'discussions' : domain))

const Settings = z.object({
  url: z.string().nullish(),
  watched: z
    .array(z.object({ type: z.enum(['user', 'org', 'model', 'dataset']), name: z.string() }))
    .nullish(),
  domains: z.array(Domain).nullish(),
  secret: z.string().nullish(),
  jobSourceId: z.unknown().optional(),
})

type Watched = NonNullable<z.output<typeof Settings>['watched']>[number]

function watchOf({ type, name }: Watched): Watch {
  if (type === 'user' || type === 'org') return { ns: name }
  const [ns = '', repo = '', ...rest] = name.split('/')
  if (repo === '' || rest.length > 0)
    throw new Problem('invalid-request', { detail: `"${name}" is not a repo: write it as ns/name.` })
  return { repo: { type, ns, name: repo } }
}

async function settingsOf(c: Context<Env>) {
  const { url, watched, domains: named, secret, jobSourceId } = await bodyOf(c, Settings)
  if (jobSourceId !== undefined && jobSourceId !== null)
    throw new Problem('invalid-request', { detail: 'This server runs no jobs for webhooks; give a url.' })
  return {
    ...(typeof url === 'string' ? { url } : {}),
    // The Python client sends an empty list for what is to stay.
    ...(watched?.length ? { watched: watched.map(watchOf) } : {}),
    ...(named?.length ? { events: [...new Set(named)].flatMap((domain) => domains[domain]) } : {}),
    ...(typeof secret === 'string' ? { secret } : {}),
  }
}

function view({ id, url, watched, events, active }: Webhook, secret?: string) {
  const has = (domain: keyof typeof domains) => events.some((event) => domains[domain].includes(event))
  return {
    id: hubId(id),
    url,
    watched: watched.map((one) =>
      'namespaceId' in one
        ? { type: one.kind, name: one.ns }
        : { type: one.type, name: `${one.ns}/${one.name}` },
    ),
    domains: (['repo', 'discussions'] as const).filter(has),
    disabled: !active,
    ...(secret ? { secret } : {}),
  }
}

const idOf = (c: Context<Env>) => c.req.param('id') ?? ''

/** `GET /api/settings/webhooks`: the caller's own. */
const list: Handler = async (c) => {
  const { items } = await listWebhooks(c.var.ctx, { mine: true }, { limit: most })
  return c.json(items.map((webhook) => view(webhook)))
}

/** `POST /api/settings/webhooks`: signed only with a secret of the caller's, which is sent along as the public hub does. */
const create: Handler = async (c) => {
  const { url, watched = [], events = Object.values(domains).flat(), secret = '' } = await settingsOf(c)
  if (url === undefined) throw new Problem('invalid-request', { detail: 'url: is missing' })
  const wanted = { url, watched, events, secret, secretHeader: true }
  const { webhook } = await createWebhook(c.var.ctx, wanted)
  return c.json({ webhook: view(webhook, secret) })
}

/** `GET /api/settings/webhooks/{id}` */
const read: Handler = async (c) => c.json({ webhook: view(await getWebhook(c.var.ctx, idOf(c))) })

/** `POST /api/settings/webhooks/{id}` */
const update: Handler = async (c) => {
  const settings = await settingsOf(c)
  const webhook = await updateWebhook(c.var.ctx, idOf(c), settings)
  return c.json({ webhook: view(webhook, settings.secret) })
}

/** `POST /api/settings/webhooks/{id}/enable` and `/disable` */
const setActive =
  (active: boolean): Handler =>
  async (c) =>
    c.json({ webhook: view(await updateWebhook(c.var.ctx, idOf(c), { active })) })

const remove: Handler = async (c) => {
  await deleteWebhook(c.var.ctx, idOf(c))
  return c.json({})
}

const one = '/api/settings/webhooks/:id'

/** The hub's rows about webhooks. */
export const webhookRows: ['GET' | 'POST' | 'DELETE', string, Handler][] = [
  ['GET', '/api/settings/webhooks', list],
  ['POST', '/api/settings/webhooks', create],
  ['GET', one, read],
  ['POST', one, update],
  ['DELETE', one, remove],
  ['POST', `${one}/enable`, setActive(true)],
  ['POST', `${one}/disable`, setActive(false)],
]
