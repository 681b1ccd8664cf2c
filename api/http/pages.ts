import { serveStatic } from '@hono/node-server/serve-static'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App } from './env.ts'

/** `dist/web` of this installation, from the source tree as from the bundle. */
function webRoot(): string | undefined {
  for (let dir = dirname(fileURLToPath(import.meta.url)); dir !== dirname(dir); dir = dirname(dir)) {
    const root = join(dir, 'dist', 'web')
    if (existsSync(join(root, 'index.html'))) return root
  }
  return undefined
}

/** Serves the SPA: its hashed assets for ever, and its one page for every other address that wants HTML. */
export function mountPages(app: App): void {
  const root = webRoot()
  if (!root) return
  const assets = serveStatic({ root: relative(process.cwd(), root), precompressed: true })
  app.use('/assets/*', async (c, next) => {
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    return assets(c, next)
  })
  for (const file of ['/favicon.svg', '/theme.js', '/robots.txt']) app.get(file, assets)
  let page: string | undefined
  app.get('*', async (c, next) => {
    if (!/\btext\/html\b/.test(c.req.header('Accept') ?? '')) return next()
    page ??= await readFile(join(root, 'index.html'), 'utf8')
    return c.html(page, 200, { 'Cache-Control': 'no-cache' })
  })
}
