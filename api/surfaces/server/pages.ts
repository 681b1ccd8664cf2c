import { serveStatic } from '@hono/node-server/serve-static'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'
import type { Ctx } from '../../core/ctx.ts'
import type { App, Env } from '../../core/http/env.ts'
import { framable, pageHeaders } from '../../core/http/security-headers.ts'
import { drawnFor, loadDrawing, pageWith } from './first-view.ts'
import { gzip, takesGzip } from '../../core/http/gzip.ts'

/** `dist/web` of this installation, from the source tree as from the bundle. */
function webRoot(): string | undefined {
  for (let dir = dirname(fileURLToPath(import.meta.url)); dir !== dirname(dir); dir = dirname(dir)) {
    const root = join(dir, 'dist', 'web')
    if (existsSync(join(root, 'index.html'))) return root
  }
  return undefined
}

// Addresses of machines, and files that are there or not: never the page (hub-wire.md §2).
const NO_PAGE = /^\/(?:api|assets|oauth)\/|\.git\//

/**
 * The rows of a dataset within a page of another site, as on the public hub. No control of it changes anything, and browsers
 * send no session to it there (`SameSite=Lax`).
 */
const EMBEDDED = /^\/datasets\/[^/]+\/[^/]+\/embed\/viewer(?:\/|$)/

/** Whether the page is what is asked for: by name; at `/` also by clients that accept anything, as `curl` and health checks do. */
function wantsPage(path: string, accept = '*/*'): boolean {
  return /\btext\/html\b/.test(accept) || (path === '/' && /(?:\*|text)\/\*/.test(accept))
}

/** A page that shows what its caller may see: no one keeps it, and it is compressed, since it holds no secret. */
async function sendDrawn(c: Context<Env>, text: string): Promise<Response> {
  const headers = {
    'Cache-Control': 'private, no-store',
    Vary: 'Accept-Encoding, Accept-Language, Cookie',
    ...pageHeaders,
  }
  if (!takesGzip(c.req.header('Accept-Encoding'))) return c.html(text, 200, headers)
  return c.body(await gzip(text), 200, {
    ...headers,
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Encoding': 'gzip',
  })
}

/** How the server looks, as its pages show it. */
export type LookNow = (ctx: Ctx) => Promise<{ name?: string | undefined }>

/** The page with the look of the server, which nothing in it then has to ask for. */
function pageIn(look: { name?: string | undefined }, page: string): string {
  const title = (look.name ?? 'Arsenal').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const state = JSON.stringify(look).replaceAll('<', '\\u003c')
  return page
    .replace('<title>Arsenal</title>', () => `<title>${title}</title>`)
    .replace('<script', (script) => `<script type="application/json" id="look">${state}</script>${script}`)
}

/** Serves the SPA: its hashed assets for ever, and its one page for every other address that wants HTML. */
export function mountPages(app: App, lookNow: LookNow, root = webRoot()): void {
  if (!root) return
  const assets = serveStatic({ root: relative(process.cwd(), root), precompressed: true })
  app.use('/assets/*', async (c, next) => {
    await next()
    // Not on what is missing: of two versions side by side one lacks the other's files for a while.
    if (c.res.ok) c.header('Cache-Control', 'public, max-age=31536000, immutable')
  })
  app.use('/assets/*', assets)
  let built: string | undefined
  let drawing: ReturnType<typeof loadDrawing> | undefined
  app.get('*', async (c, next) => {
    if (NO_PAGE.test(c.req.path) || !wantsPage(c.req.path, c.req.header('Accept'))) return next()
    built ??= await readFile(join(root, 'index.html'), 'utf8')
    const { ctx } = c.var
    const look = await lookNow(ctx).catch((err: unknown) => {
      ctx.log.error({ err }, 'how the server looks could not be read: the page looks as Arsenal does')
      return {}
    })
    const isPlain = c.req.method === 'HEAD' || c.req.url.includes('?')
    // A damaged installation still serves its pages.
    drawing ??= isPlain
      ? undefined
      : loadDrawing(root).catch((err: unknown) => {
          ctx.log.error({ err }, 'what draws first views could not be loaded')
          return undefined
        })
    const drawer = isPlain ? undefined : await drawing
    const view = drawer && (await drawnFor(app, c, drawer))
    if (drawer && view) return sendDrawn(c, pageIn(look, pageWith(built, view, drawer.files)))
    const policy = c.get('headers')?.['Content-Security-Policy']
    const framing = policy && EMBEDDED.test(c.req.path) ? { 'Content-Security-Policy': framable(policy) } : {}
    return c.html(pageIn(look, built), 200, { 'Cache-Control': 'no-cache', ...pageHeaders, ...framing })
  })
}
