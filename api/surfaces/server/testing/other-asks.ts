import { hubId } from '../../hub/wire/params.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { talk } from './scene.ts'
import type { Ask, Target } from './target.ts'

type Body = [type: string, text: string] | undefined
const json = (value: unknown): Body => ['application/json', JSON.stringify(value)]
const lfs = (value: unknown): Body => ['application/vnd.git-lfs+json', JSON.stringify(value)]
const form = (fields: Record<string, string>): Body => [
  'application/x-www-form-urlencoded',
  new URLSearchParams(fields).toString(),
]
const lines = (...values: unknown[]): Body => [
  'application/x-ndjson',
  values.map((value) => JSON.stringify(value)).join('\n'),
]

const hub = '/api/:t{models|datasets}/:ns/:name'
const collection = '/api/collections/:ns/:slug'
const webhook = '/api/settings/webhooks/:id'
const download = { operation: 'download', transfers: ['basic'], hash_algo: 'sha256' }

function lfsBodies(prefix: string): Record<string, (target: Target) => Body> {
  const base = `POST ${prefix}/:ns/:name/info/lfs`
  return {
    [`${base}/objects/batch`]: ({ oid }) => lfs({ ...download, objects: [{ oid, size: 3 }] }),
    [`${base}/verify`]: ({ oid }) => lfs({ oid, size: 3 }),
  }
}

// A flush: to git a request for nothing.
function gitBodies(prefix: string): Record<string, (target: Target) => Body> {
  return {
    [`POST ${prefix}/:ns/:name/git-upload-pack`]: () => ['application/x-git-upload-pack-request', '0000'],
    [`POST ${prefix}/:ns/:name/git-receive-pack`]: () => ['application/x-git-receive-pack-request', '0000'],
  }
}

// The registry of ollama takes no pushes.
const refusedPushes = (path: string): Record<string, (target: Target) => Body> =>
  Object.fromEntries(['POST', 'PUT', 'PATCH', 'DELETE'].map((verb) => [`${verb} ${path}`, () => json({})]))

/** What is sent to each route that takes something, outside the native surface. */
const bodies: Record<string, (target: Target) => Body> = {
  ...lfsBodies(''),
  ...lfsBodies('/models'),
  ...lfsBodies('/datasets'),
  ...gitBodies(''),
  ...gitBodies('/models'),
  ...gitBodies('/datasets'),
  'PUT /api/info/lfs/objects/:oid{[0-9a-f]{64}}': () => ['application/octet-stream', 'x'],
  'PUT /api/info/lfs/uploads/:id/parts/:n{[0-9]{1,5}}': () => ['application/octet-stream', 'x'],
  'POST /api/info/lfs/uploads/:id/complete': ({ oid }) => lfs({ oid, parts: [] }),
  ...refusedPushes('/v2'),
  ...refusedPushes('/v2/*'),
  'POST /oauth/token': () => form({ grant_type: 'authorization_code' }),
  'POST /api/telemetry/*': () => json({}),
  'POST /api/validate-yaml': () => json({ content: '---\nlicense: mit\n---\n', repoType: 'model' }),
  'POST /api/repos/create': ({ ns, name }) => json({ name, organization: ns, type: 'model', private: true }),
  'DELETE /api/repos/delete': ({ ns, name }) => json({ name, organization: ns, type: 'model' }),
  'POST /api/repos/move': ({ ns, name }) =>
    json({ fromRepo: `${ns}/${name}`, toRepo: `${ns}/new`, type: 'model' }),
  [`PUT ${hub}/settings`]: () => json({ private: false }),
  [`POST ${hub}/branch/:branch{.+}`]: () => json({ startingPoint: 'main' }),
  [`DELETE ${hub}/branch/:branch{.+}`]: () => undefined,
  [`POST ${hub}/tag/:rev{.+}`]: () => json({ tag: 'v9' }),
  [`DELETE ${hub}/tag/:tag{.+}`]: () => undefined,
  [`POST ${hub}/paths-info/:rest{.+}`]: () => json({ paths: ['README.md'], expand: true }),
  [`POST ${hub}/preupload/:rest{.+}`]: () => json({ files: [{ path: 'a.bin', size: 3, sample: 'AAEC' }] }),
  'POST /api/settings/webhooks': ({ ns, name }) =>
    json({ url: 'https://8.8.8.8/', watched: [{ type: 'model', name: `${ns}/${name}` }], domains: ['repo'] }),
  [`POST ${webhook}`]: ({ ns, name }) =>
    json({ url: 'https://8.8.8.8/', watched: [{ type: 'model', name: `${ns}/${name}` }] }),
  [`POST ${webhook}/enable`]: () => undefined,
  [`POST ${webhook}/disable`]: () => undefined,
  [`DELETE ${webhook}`]: () => undefined,
  'POST /api/collections': ({ ns, name, collection: { ns: namespace } }) =>
    json({ title: 'New', namespace, private: true, item: { type: 'model', id: `${ns}/${name}` } }),
  [`PATCH ${collection}`]: () => json({ title: 'Renamed', position: 0, private: false, theme: 'pink' }),
  [`DELETE ${collection}`]: () => undefined,
  [`POST ${collection}/items`]: ({ ns, name }) =>
    json({ item: { type: 'model', id: `${ns}/${name}` }, note: 'x' }),
  [`PATCH ${collection}/items/:id`]: () => json({ note: 'x', position: 0 }),
  [`DELETE ${collection}/items/:id`]: () => undefined,
  [`POST ${collection}/upvote`]: () => undefined,
  [`DELETE ${collection}/upvote`]: () => undefined,
  [`POST ${hub}/discussions`]: () => json({ title: 'Why?', description: 'Because.', pullRequest: true }),
  [`POST ${hub}/discussions/:num/comment`]: () => json({ comment: 'I see.' }),
  [`POST ${hub}/discussions/:num/comment/:id/edit`]: () => json({ content: 'I see now.' }),
  [`POST ${hub}/discussions/:num/comment/:id/hide`]: () => undefined,
  [`POST ${hub}/discussions/:num/title`]: () => json({ title: 'Why not?' }),
  [`POST ${hub}/discussions/:num/status`]: () => json({ status: 'closed', comment: 'Enough.' }),
  [`POST ${hub}/discussions/:num/merge`]: () => json({ comment: 'Thanks.' }),
  [`POST ${hub}/like`]: () => undefined,
  [`DELETE ${hub}/like`]: () => undefined,
  [`POST ${hub}/user-access-request/handle`]: ({ ns }) => json({ user: ns, status: 'accepted' }),
  [`POST ${hub}/user-access-request/grant`]: ({ ns }) => json({ user: ns }),
  [`POST ${hub}/super-squash/:branch{.+}`]: () => json({ message: 'One commit' }),
  [`POST ${hub}/duplicate`]: ({ ns }) => json({ repository: `${ns}/copy`, visibility: 'private' }),
  [`POST ${hub}/lfs-files/batch`]: ({ oid }) => json({ deletions: { sha: [oid], rewriteHistory: true } }),
  [`POST ${hub}/lfs-files/duplicate`]: ({ ns, oid }) =>
    json({ target: { type: 'model', name: `${ns}/copy` }, files: [{ sha256: oid }] }),
  [`POST ${hub}/commit/:rev{.+}`]: () =>
    lines(
      { key: 'header', value: { summary: 'change' } },
      { key: 'file', value: { path: 'a.txt', content: 'eA==', encoding: 'base64' } },
    ),
}

/** Answers something new each time, and says nothing of a repo. */
const withoutTarget = new Set([
  'POST /oauth/device',
  'POST /uploads',
  ...['GET', 'POST'].flatMap((method) => [`${method} /-/doctor`, `${method} /-/doctor/*`]),
  'GET /-/doctor/pieces',
  // Pages with a request id, about people alone; api/rooms/auth/oidc has their tests.
  'GET /auth/oidc/:id/start',
  'GET /auth/oidc/:id/callback',
  'POST /auth/oidc/:id/backchannel-logout',
])

/** Every route of the app outside the native surface but the middleware of all, as `GET /path`. */
function otherRoutes(app: App): string[] {
  const all = app.routes.map(({ method, path }) => `${method} ${path}`)
  const others = all.filter((route) => !route.includes(`${nativeBase}/`) && route !== 'ALL /*')
  return [...new Set(others)].filter((route) => !withoutTarget.has(route))
}

const parameter = /:(\w+)(?:\{(?:[^{}]|\{[^{}]*\})*\})?/g

function idIn(pattern: string, { commentId, collection, uploadId, webhook }: Target): string {
  if (pattern.startsWith('/api/settings/webhooks/')) return hubId(webhook.id)
  if (pattern.includes('/comment/')) return hubId(commentId)
  return pattern.startsWith('/api/collections/') ? hubId(collection.itemId) : uploadId
}

function fileIn(pattern: string, { image, ns }: Target): string {
  if (pattern.includes('/parquet/')) return '0.parquet'
  return pattern.startsWith('/uploads/') ? image : `${ns}.svg`
}

function fill(pattern: string, target: Target): string {
  const { collection } = target
  const isOfCollection = pattern.startsWith('/api/collections/')
  const values: Record<string, string> = {
    ns: isOfCollection ? collection.ns : target.ns,
    slug: collection.slug,
    name: target.name,
    oid: target.oid,
    digest: `sha256:${target.oid}`,
    id: idIn(pattern, target),
    num: pattern.endsWith('/merge') ? talk.pullRequest : talk.discussion,
    n: '1',
    config: 'default',
    split: 'train',
    file: fileIn(pattern, target),
    rev: 'main',
    // A squash is a commit each time, so it is asked of no branch.
    branch: pattern.includes('/super-squash/') ? 'gone' : 'draft',
    tag: 'v1',
    status: 'pending',
    user: target.ns,
    org: target.ns,
    rest: /\/(?:resolve|raw)\//.test(pattern) ? 'main/README.md' : 'main',
  }
  const filled = pattern.replaceAll(parameter, (_, name: string) => {
    const value = values[name]
    if (value === undefined)
      throw new Error(`other-asks.ts does not say what stands for :${name} in ${pattern}`)
    return value
  })
  const viewed = `?dataset=${target.ns}/${target.name}&config=default&split=train&query=x`
  return filled.replace(/\/\*$/, '/main/README.md') + (filled.startsWith('/viewer-api/') ? viewed : '')
}

const verbs: Record<string, string[]> = {
  ALL: ['GET', 'POST', 'PUT', 'DELETE'],
  GET: ['GET', 'HEAD'],
  HEAD: ['HEAD'],
}
/** What stands in a route where the kind of repo does, and what it stands for. */
const kinds = [':t{models|datasets}', ':t{datasets}']

function asksOf(route: string, target: Target): Ask[] {
  const [method = '', pattern = ''] = route.split(/ (.*)/s)
  if (!verbs[method] && !(route in bodies))
    throw new Error(`other-asks.ts does not say what is sent to ${route}`)
  const kind = kinds.find((one) => pattern.includes(one))
  const patterns = kind
    ? (/\{(.+)\}/.exec(kind)?.[1] ?? '').split('|').map((word) => pattern.replace(kind, word))
    : [pattern]
  const [type, body] = bodies[route]?.(target) ?? []
  return patterns.flatMap((one) =>
    (verbs[method] ?? [method]).map((verb) => ({
      method: verb,
      path: fill(one, target),
      headers: type === undefined ? {} : { 'Content-Type': type },
      ...(body === undefined ? {} : { body }),
    })),
  )
}

/** A request to every route outside the native surface; a route missing here throws. */
export function otherAsks(app: App, target: Target): Ask[] {
  return otherRoutes(app).flatMap((route) => asksOf(route, target))
}
