import { expect, signIn, test as base, type Caller, type Page } from './fixtures.ts'
import { startServer } from '../fixtures/server.mjs'
import { lookAt } from './look.ts'
import { measuredOf, watchPage } from './measuring.mjs'
import { png } from './png.ts'

// A server of its own: what is set here stands on every page.
const test = base.extend<object, { server: Awaited<ReturnType<typeof startServer>> }>({
  server: [
    async ({ browserName: _browserName }, use) => {
      const server = await startServer({ 'security.anonymous_read': 'true', 'telemetry.log_level': 'warn' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

const welcome = '**Welcome** to our models.\n\nRead [how to begin](docs/api) <script>alert(1)</script>'
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const banner = (page: Page) => page.getByRole('complementary', { name: 'Announcement' }).first()
const plain = (admin: Caller) => admin.native('PUT', '/admin/look', {})

test.afterEach(async ({ admin }) => {
  await plain(admin)
  await admin.native('DELETE', '/admin/look/logo')
})

test('an admin gives the server a name, a logo, a welcome and an announcement, and takes them away', async ({
  page,
  context,
  admin,
  server,
  browser,
}) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Appearance' }).click()
  await field(page, 'Name').fill('Hub of Acme')
  await field(page, 'Welcome in Markdown').fill(welcome)
  await field(page, 'Text').fill('Down on Sunday from 8 to 9.')
  await page.getByText('Warning', { exact: true }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('Hub of Acme')).toBeVisible()
  await expect(preview.locator('strong', { hasText: 'Welcome' })).toBeVisible()
  await expect(preview.getByText('Down on Sunday')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Appearance saved')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Hub of Acme, home' })).toBeVisible()

  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload logo' }).click()
  await (await chooser).setFiles({ name: 'l.png', mimeType: 'image/png', buffer: png(64, 64, [200, 40, 40]) })
  await expect(page.getByText('Logo uploaded')).toBeVisible()

  const visitor = await (await browser.newContext({ baseURL: server.url })).newPage()
  await visitor.goto('/')
  await expect(visitor).toHaveTitle('Hub of Acme')
  await expect(visitor.getByRole('heading', { level: 1, name: 'Hub of Acme' })).toBeVisible()
  await expect(visitor.locator('strong', { hasText: 'Welcome' })).toBeVisible()
  await expect(visitor.locator('header img')).toHaveAttribute('src', /^\/avatars\/logo\//)
  expect(await visitor.locator('header img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(
    64,
  )
  await expect(banner(visitor)).toContainText('Warning: Down on Sunday from 8 to 9.')
  await visitor.goto('/login')
  await expect(visitor).toHaveTitle('Sign in · Hub of Acme')
  await expect(visitor.getByRole('link', { name: 'how to begin' })).toHaveAttribute('href', '/docs/api')
  // A list is drawn by the server before its script runs.
  const drawn = await (await visitor.request.get('/models', { headers: { accept: 'text/html' } })).text()
  expect(drawn).toContain('<title>Models · Hub of Acme</title>')
  expect(drawn).toContain('Hub of Acme, home')

  await page.getByRole('button', { name: 'Reset to defaults' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to defaults' }).click()
  await expect(page.getByText('Appearance reset')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Arsenal, home' })).toBeVisible()
  await expect(field(page, 'Name')).toHaveValue('')
  await expect(banner(page)).toHaveCount(0)
})

test('a refused text and a large logo say what to do', async ({ page, context, admin, server }) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin/appearance')
  await field(page, 'Welcome in Markdown').fill('é'.repeat(2049))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('The welcome may have at most 4 KiB. Make it shorter.')).toBeVisible()
  const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload logo' }).click()
    await (await chooser).setFiles(file)
  }
  await choose({ name: 'l.png', mimeType: 'image/png', buffer: Buffer.alloc(300_000) })
  await expect(page.getByText('A logo may have at most 256 KiB. Make the image smaller.')).toBeVisible()
  await choose({ name: 'l.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') })
  await expect(page.getByText('Send a PNG, JPEG or WebP image.')).toBeVisible()
})

test('an announcement moves nothing, is dismissed in one browser for its text, and ends', async ({
  page,
  admin,
}) => {
  const announce = (text: string, more: object = {}) =>
    admin.native('PUT', '/admin/look', { announcement: { text, kind: 'info', ...more } })
  await announce('New models every Monday. '.repeat(8).trim())
  await watchPage(page)
  for (const address of ['/models', '/', '/login']) {
    await page.goto(address)
    await expect(banner(page)).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect((await measuredOf(page)).shift, address).toBeLessThanOrEqual(0.02)
  }
  await page.getByRole('button', { name: 'Dismiss the announcement' }).click()
  await expect(banner(page)).toHaveCount(0)
  for (const address of ['/models', '/']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(banner(page)).toHaveCount(0)
  }
  await announce('Another text')
  await page.goto('/models')
  await expect(banner(page)).toContainText('Notice: Another text')
  await announce('Another text', { ends_at: '2020-01-01T00:00:00Z' })
  await page.goto('/models')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
})

test('the pages look right with it', async ({ page, context, admin, server, browser }) => {
  test.setTimeout(240_000)
  await admin.native('PUT', '/admin/look', {
    name: 'The hub of the institute of Acme at home',
    welcome: `# Models of Acme\n\n${welcome}`,
    announcement: {
      text: 'The server is down on Sunday from 8 to 9. Uploads can be taken up again.',
      kind: 'warning',
    },
  })
  const visitor = await (await browser.newContext({ baseURL: server.url })).newPage()
  await lookAt(visitor, { home: '/', login: '/login', models: '/models' })
  await signIn(context, server.url, admin)
  await lookAt(page, { appearance: '/admin/appearance' }, () =>
    expect(page.getByRole('region', { name: 'Preview' }).getByText('to our models')).toBeVisible(),
  )
})
