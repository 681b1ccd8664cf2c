import { OpenAPIHono } from '@hono/zod-openapi'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import type { Env } from '../../core/http/env.ts'
import { languagesOf } from './first-view.ts'
import { mountPages } from './pages.ts'

let look: { name?: string } = {}
let dist = ''
let root = ''
const faults: string[] = []
const app = new OpenAPIHono<Env>()
app.use(async (c, next) => {
  const log = { error: ({ path }: { path: string }) => faults.push(path) }
  c.set('ctx', { log, signal: new AbortController().signal } as unknown as Ctx)
  c.set('headers', { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" })
  await next()
})
app.get('/api/who', (c) => {
  c.header('Set-Cookie', 'session=gone')
  return c.text(`${c.req.header('Cookie')} ${c.req.header('Accept')} ${c.req.header('Range')}`)
})

const shell =
  '<head><title>Arsenal</title><script type="module" src="/assets/m.js"></script></head><div id="root"></div>'

const shellWithLook = shell.replace('<script', '<script type="application/json" id="look">{}</script><script')

/** Draws in place of the built pages: what it was asked by whom; not the page of a fault, and never one that takes too long. */
const drawer = `export async function firstView(path, ask) {
  if (path === '/fault') throw new Error('cannot be drawn')
  if (path === '/slow') return new Promise(() => {})
  if (path !== '/models') return undefined
  const answer = await ask('/api/who', { headers: { accept: 'application/json' } })
  return { kind: 'list', title: '<title>$& Models</title>', html: await answer.text(), state: '[1]', next: ['/b?c&d'] }
}`

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'arsenal-pages-'))
  root = join(dist, 'web')
  await mkdir(join(root, 'assets'), { recursive: true })
  await writeFile(join(root, 'index.html'), shell)
  await writeFile(join(root, 'first-files.json'), JSON.stringify({ list: ['/assets/a.js', '/assets/a.css'] }))
  await mkdir(join(dist, 'first-view'))
  await writeFile(join(dist, 'first-view', 'first-view.js'), drawer)
  await writeFile(join(root, 'assets', 'index-1.js'), 'export {}')
  mountPages(app, () => Promise.resolve(look), root)
})
afterAll(() => rm(dist, { recursive: true, force: true }))

const ask = async (path: string, accept?: string) =>
  app.request(path, accept === undefined ? {} : { headers: { Accept: accept } })

test('an asset is kept for ever, a missing one not even for a moment', async () => {
  expect((await ask('/assets/index-1.js')).headers.get('Cache-Control')).toMatch('immutable')
  for (const accept of ['*/*', 'text/html']) {
    const missing = await ask('/assets/index-2.js', accept)
    expect([missing.status, missing.headers.get('Cache-Control')]).toEqual([404, null])
  }
})

test.each([undefined, '*/*', 'text/*', 'text/html', 'image/png,*/*;q=0.8'])(
  'the front page is sent to clients that accept it: %s',
  async (accept) => {
    expect(await (await ask('/', accept)).text()).toMatch('<title>')
  },
)

test('other pages are for those who name HTML; what machines ask for is never a page', async () => {
  expect((await ask('/', 'application/json')).status).toBe(404)
  expect((await ask('/ada/bert', 'text/html,*/*')).status).toBe(200)
  expect((await ask('/ada/bert', '*/*')).status).toBe(404)
  for (const path of ['/api/nothing', '/oauth/nothing', '/ada/bert.git/nothing'])
    expect([path, (await ask(path, 'text/html')).status]).toEqual([path, 404])
})

test('a page cuts off windows of other sites and uses no device', async () => {
  const { headers } = await ask('/ada/bert', 'text/html')
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
    expect(headers.get('Permissions-Policy')).toContain(`${feature}=()`)
})

test('only the rows of a dataset may be shown within pages of other sites', async () => {
  const policyOf = async (path: string) =>
    (await ask(path, 'text/html')).headers.get('Content-Security-Policy')
  for (const path of ['/datasets/ada/table/embed/viewer', '/datasets/ada/table/embed/viewer/default/train'])
    expect(await policyOf(path)).toBe("default-src 'none'; frame-ancestors *")
  for (const path of [
    '/datasets/ada/table/viewer',
    '/ada/table/embed/viewer',
    '/datasets/ada/embed/viewer',
    '/',
  ])
    expect([path, await policyOf(path)]).toEqual([path, null])
})

const cookie = { Accept: 'text/html', Cookie: 'session=1', Range: 'bytes=0-1' }

test('a page is drawn by what its caller would be answered, for no one else', async () => {
  const answer = await app.request('/models', { headers: cookie })
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  expect(answer.headers.get('Vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
  expect(answer.headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
  expect(answer.headers.get('Set-Cookie')).toBe(null)
  const text = await answer.text()
  expect(text).toContain('<title>$& Models</title>')
  expect(text).toContain('aria-hidden="true">session=1 application/json undefined</div>')
  expect(text).toContain('<script type="application/json" id="first-answers">[1]</script><div id="root">')
  const links = [...text.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)"/g)].map(([, ...link]) => link)
  expect(links).toEqual([
    ['modulepreload', '/assets/a.js'],
    ['stylesheet', '/assets/a.css'],
    ['preload', '/b?c&amp;d'],
  ])
})

test('it is compressed for those who take that', async () => {
  const answer = await app.request('/models', { headers: { ...cookie, 'Accept-Encoding': 'gzip, br' } })
  expect(answer.headers.get('Content-Encoding')).toBe('gzip')
  const text = gunzipSync(await answer.arrayBuffer()).toString()
  expect(text).toBe(await (await app.request('/models', { headers: cookie })).text())
})

test('what cannot be drawn, or not soon, is sent as it is; so is what is searched for', async () => {
  for (const path of ['/fault', '/slow', '/ada/bert', '/models?q=a']) {
    const answer = await ask(path, 'text/html')
    expect([path, await answer.text()]).toEqual([path, shellWithLook])
    expect(answer.headers.get('Cache-Control')).toBe('no-cache')
  }
  expect(faults).toEqual(['/fault'])
})

test('a page brings the look of the server along, and nothing of it becomes markup', async () => {
  look = { name: 'A & <b>' }
  const text = await (await ask('/settings', 'text/html')).text()
  look = {}
  expect(text).toContain('<title>A &amp; &lt;b></title>')
  expect(text).toContain(
    String.raw`<script type="application/json" id="look">{"name":"A & \u003cb>"}</script>`,
  )
})

test('a page is drawn in the languages of the browser that there are, the best first', () => {
  expect(languagesOf('en;q=0.8, de-CH, fr;q=0, *;q=0.5, x_y;q=0.9')).toEqual(['de-CH', 'en'])
  expect(languagesOf('')).toEqual(['en'])
  expect(languagesOf('*')).toEqual(['en'])
  expect(languagesOf(Array.from({ length: 1000 }, () => 'fr').join())).toHaveLength(10)
})
