import { AxeBuilder } from '@axe-core/playwright'
import { expect, signIn, test, type Page } from './fixtures.ts'
import { givenPages } from './pages.ts'

/** Every page, in both themes, wide and at 360 px: no axe violation, no sideways scroll, and a picture to look at. */
test.describe.configure({ mode: 'parallel' })

/** How pages are looked at. */
interface Look {
  colorScheme: 'light' | 'dark'
  settled: () => Promise<void>
  axe: () => AxeBuilder
}

const wide = { width: 1360, height: 850 }
const narrow = { width: 360, height: 740 }

async function shoot(page: Page, name: string, shot: string) {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  await page.screenshot({ path: `test-results/screens/${name}-${shot}.png`, fullPage: true })
}

const quietMs = 100

/**
 * Answers a wait for a page whose requests are all answered and cause no others. Playwright's own `networkidle` takes
 * half a second, a minute over all pages.
 */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>()
  let last = Date.now()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request)
  })
  const end = (request: unknown) => {
    open.delete(request)
    last = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return () =>
    expect.poll(() => open.size === 0 && Date.now() - last > quietMs, { intervals: [25] }).toBe(true)
}

/** What axe finds on a page, one line each; the page is pictured wide and narrow. */
async function inspect(page: Page, name: string, address: string, look: Look): Promise<string[]> {
  await page.setViewportSize(wide)
  await page.goto(address)
  await expect(page.getByRole('main')).not.toBeEmpty()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await look.settled()
  await shoot(page, name, `${look.colorScheme}-wide`)
  const { violations } = await look.axe().analyze()
  await page.setViewportSize(narrow)
  await shoot(page, name, `${look.colorScheme}-narrow`)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.html}`))
}

const strangers: Record<string, string> = { visitor: '/', login: '/login', 'models-visitor': '/models' }
/** Pages that show others what they may not do. */
const seenByVisitors = ['discussions', 'pull', 'gated']
/** Pages that show people what they may ask for. */
const seenByGuests = ['gated']
const admins: Record<string, string> = { admin: '/admin', quotas: '/admin/quotas' }
/** Pages on which admins find more. */
const seenByAdmins = ['disabled', 'repo-settings']

for (const colorScheme of ['light', 'dark'] as const)
  test(`every page in ${colorScheme}`, async ({ browser, server, owner, stranger, admin, complaints }) => {
    test.setTimeout(400_000)
    const { person, addresses } = await givenPages(owner, stranger, admin)
    const context = await browser.newContext({ baseURL: server.url, colorScheme })
    context.on('console', (message) => {
      const isFault = message.type() === 'error' && !message.text().includes('status of 4')
      if (isFault) complaints.push(message.text())
    })
    const page = await context.newPage()
    // A theme changes nothing but colours. Without the legacy mode each analysis opens a page of its own, for frames of
    // other origins, of which there are none.
    const axe = () =>
      colorScheme === 'light'
        ? new AxeBuilder({ page }).setLegacyMode()
        : new AxeBuilder({ page }).setLegacyMode().withRules(['color-contrast', 'link-in-text-block'])
    const look = { colorScheme, settled: watchRequests(page), axe }
    const faults: string[] = []
    for (const [name, address] of Object.entries(strangers))
      faults.push(...(await inspect(page, name, address, look)))
    for (const name of seenByVisitors)
      faults.push(...(await inspect(page, `${name}-visitor`, addresses[name] ?? '', look)))
    await signIn(context, server.url, stranger)
    for (const name of seenByGuests)
      faults.push(...(await inspect(page, `${name}-guest`, addresses[name] ?? '', look)))
    await signIn(context, server.url, person)
    for (const [name, address] of Object.entries(addresses))
      faults.push(...(await inspect(page, name, address, look)))
    await signIn(context, server.url, admin)
    for (const [name, address] of Object.entries(admins))
      faults.push(...(await inspect(page, name, address, look)))
    for (const name of seenByAdmins)
      faults.push(...(await inspect(page, `${name}-admin`, addresses[name] ?? '', look)))
    await context.close()
    expect(faults).toEqual([])
  })
