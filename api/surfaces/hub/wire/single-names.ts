import type { Context } from 'hono'
import type { App, Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { addressOfSingle } from './address-of-single.ts'

// What may stand behind a repo's address in the API; the first words are reserved, so that no repo has such a name.
const parts = (
  'refs settings revision tree commit discussions commits paths-info preupload xet-write-token chunk-write-token branch ' +
  'tag like likers user-access-request auth-check super-squash lfs-files duplicate'
).split(' ')

/** The same address with the namespace in the `n`-th segment; `undefined` where no repo has the single name. */
async function withNamespace(c: Context<Env>, n: number, name: string): Promise<Response | undefined> {
  const type = new URL(c.req.url, 'http://localhost').pathname.split('/').includes('datasets')
    ? 'dataset'
    : 'model'
  const found = await addressOfSingle(c.var.ctx, type, name)
  if (!found) return undefined
  const { pathname, search } = new URL(c.req.url, 'http://localhost')
  const segments = pathname.split('/')
  segments.splice(n + 1, 1, encodeURIComponent(found.ns), encodeURIComponent(found.name))
  return c.redirect(`${segments.join('/')}${search}`, 307)
}

function redirectAt(n: number) {
  return async (c: Context<Env>): Promise<Response> => {
    const redirect = await withNamespace(c, n, c.req.param('name') ?? '')
    if (!redirect) throw new Problem('repo-not-found')
    return redirect
  }
}

/** Where `/{one}/{two}` is no repo but `{two}` could be a part of one, `{one}` may be a repo's single name. */
export function orSingleName(handle: (c: Context<Env>) => Promise<Response>) {
  return async (c: Context<Env>): Promise<Response> => {
    try {
      return await handle(c)
    } catch (error) {
      const isAbsent = error instanceof Problem && ['repo-not-found', 'unauthenticated'].includes(error.code)
      const mayBeOne = isAbsent && parts.includes(c.req.param('name') ?? '')
      const redirect = mayBeOne && (await withNamespace(c, 2, c.req.param('ns') ?? ''))
      if (redirect) return redirect
      throw error
    }
  }
}

/** Single-segment repo ids lead to `hubapi.default_namespace`, or to what an upstream knows by them (hub-wire.md §3). */
export function mountSingleNames(app: App): void {
  app.all('/api/:t{models|datasets}/:name', redirectAt(2))
  for (const part of parts) app.all(`/api/:t{models|datasets}/:name/${part}/*`, redirectAt(2))
}

/**
 * The same for files, to be mounted before those of repos with two names: the single name of a dataset would read as one
 * in a namespace called `datasets`. No repo called `resolve` or `raw` can be in the way.
 */
export function mountSingleNameFiles(app: App): void {
  for (const form of ['resolve', 'raw']) {
    app.get(`/datasets/:name/${form}/*`, redirectAt(1))
    app.get(`/:name/${form}/*`, redirectAt(0))
  }
}
