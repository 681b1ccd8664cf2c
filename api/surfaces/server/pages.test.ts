import { OpenAPIHono } from '@hono/zod-openapi'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../core/http/env.ts'
import { mountPages } from './pages.ts'

let root = ''
const app = new OpenAPIHono<Env>()
app.use(async (c, next) => {
  c.set('headers', { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" })
  await next()
})
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'arsenal-pages-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), '<title>Arsenal</title>')
  await writeFile(join(root, 'assets', 'index-1.js'), 'export {}')
  mountPages(app, root)
})
afterAll(() => rm(root, { recursive: true, force: true }))

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
