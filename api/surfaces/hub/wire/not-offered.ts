import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { App, Env } from '../../../core/http/env.ts'

interface Refusal {
  status: ContentfulStatusCode
  code?: 'RepoNotFound'
  message: string
}

const notOffered = (what: string): Refusal => ({ status: 501, message: `${what} not offered by this server` })

// hub-wire.md §12: 501 is the one status clients do not retry; RepoNotFound maps to the exception they expect.
const refusals: [pattern: string, Refusal][] = [
  ['/api/spaces/*', { status: 404, code: 'RepoNotFound', message: 'Spaces are not served by this server' }],
  ['/spaces/*', { status: 404, code: 'RepoNotFound', message: 'Spaces are not served by this server' }],
  ['/api/buckets/*', { status: 404, code: 'RepoNotFound', message: 'Buckets are not served by this server' }],
  ['/api/kernels/*', { status: 404, code: 'RepoNotFound', message: 'Kernels are not served by this server' }],
  ['/api/jobs/*', notOffered('Jobs are')],
  ['/api/scheduled-jobs/*', notOffered('Scheduled jobs are')],
  ['/api/inference/*', notOffered('Inference is')],
  ['/api/papers/*', notOffered('Papers are')],
  ['/api/daily_papers', notOffered('Papers are')],
  ['/api/:t{models|datasets}/:ns/:name/leaderboard', notOffered('Leaderboards are')],
]

// 404 without an error code: clients take it for "no chunked downloads here" and use plain HTTP.
const chunkedDownload = (c: Context<Env>) =>
  c.json({ error: 'Chunked downloads are not offered; use plain HTTP.' }, 404)

/** Routes of the hub protocol that are out of scope, each failing the way clients take best. */
export function mountNotOffered(app: App): void {
  app.get('/api/spaces', (c) => c.json([]))
  // Clients ask for it before a process's first call and keep a good answer for a day.
  app.get('/api/agent-harnesses', (c) => c.json({ standardEnvVars: [], harnesses: {} }))
  app.on(['HEAD', 'GET', 'POST'], '/api/telemetry/*', (c) => c.body(null, 204))
  for (const name of ['xet-read-token', 'chunk-read-token'])
    app.get(`/api/:t{models|datasets}/:ns/:name/${name}/:rev`, chunkedDownload)
  for (const [pattern, { status, code, message }] of refusals)
    app.all(pattern, (c) =>
      c.json({ error: message }, status, {
        'X-Error-Message': message,
        ...(code ? { 'X-Error-Code': code } : {}),
      }),
    )
}
