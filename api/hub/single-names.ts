import type { Context } from 'hono'
import type { App, Env } from '../http/env.ts'
import { Problem } from '../problems/index.ts'

/** `n`: which segment of the path is the Repo's single name. */
function redirectAt(n: number) {
  return (c: Context<Env>): Response => {
    const { default_namespace } = c.var.ctx.config.hubapi
    if (default_namespace === '') throw new Problem('repo-not-found')
    const { pathname, search } = new URL(c.req.url, 'http://localhost')
    const segments = pathname.split('/')
    segments.splice(n + 1, 0, encodeURIComponent(default_namespace))
    return c.redirect(`${segments.join('/')}${search}`, 307)
  }
}

const ofOneRepo =
  'revision tree commits refs paths-info preupload commit xet-write-token chunk-write-token'.split(' ')

/** Single-segment Repo ids lead to `hubapi.default_namespace`; without one there is no such Repo (hub-wire.md §3). */
export function mountSingleNames(app: App): void {
  app.all('/api/:t{models|datasets}/:name', redirectAt(2))
  for (const what of ofOneRepo) app.all(`/api/:t{models|datasets}/:name/${what}/*`, redirectAt(2))
  for (const form of ['resolve', 'raw']) {
    app.get(`/:name/${form}/*`, redirectAt(0))
    app.get(`/datasets/:name/${form}/*`, redirectAt(1))
  }
}
