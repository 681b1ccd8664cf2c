import { expect, signIn, test, type Page } from './fixtures.ts'
import { checkWidth, colourFaultsOf, faultsOf, isPictured, narrow, shoot, turn, wide } from './look.ts'
import { measuredOf, watchPage } from './measuring.mjs'
import { givenPages } from './pages.ts'
import { watchRequests } from './requests.ts'
import { unnamedOf } from './spoken.ts'

/**
 * Every page, wide and at 360 px, in both themes: no axe violation, a name for each
 * part in the accessibility tree, no sideways scroll, no jump while it loads. With ARSENAL_SCREENS in the
 * environment each is pictured too, at 1440 and 390 px, to be looked at: that takes a third more time.
 */
test.describe.configure({ mode: 'parallel' })

/** A page, and a wait until its requests are answered. */
interface Look {
  page: Page
  settled: () => Promise<void>
}

/** A page is loaded once: a theme changes nothing but colours. */
async function inspect({ page, settled }: Look, name: string, address: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
  await page.goto(address)
  await expect(page.getByRole('main')).not.toBeEmpty()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await settled()
  const { shift } = await measuredOf(page)
  await checkWidth(page, name)
  await shoot(page, `${name}-light-wide`)
  const faults = await faultsOf(page, name)
  for (const line of await unnamedOf(page)) faults.push(`${name}: ${line}`)
  if (shift > 0.02) faults.push(`${name}: jumps by ${shift.toFixed(3)} while it loads`)
  await turn(page, 'dark')
  await shoot(page, `${name}-dark-wide`)
  faults.push(...(await colourFaultsOf(page, `${name} in dark`)))
  await page.setViewportSize(narrow)
  await checkWidth(page, `${name} at ${narrow.width} px`)
  await shoot(page, `${name}-dark-narrow`)
  faults.push(...(await faultsOf(page, `${name} in dark at ${narrow.width} px`)))
  if (isPictured) await turn(page, 'light')
  await shoot(page, `${name}-light-narrow`)
  return faults
}

const strangers: Record<string, string> = { visitor: '/', login: '/login', 'models-visitor': '/models' }
/** Pages that show others what they may not do. */
const seenByVisitors = ['discussions', 'pull', 'gated']
/** Pages that show people what they may ask for. */
const seenByGuests = ['gated']
const admins: Record<string, string> = {
  admin: '/admin',
  health: '/admin/health',
  config: '/admin/config',
  quotas: '/admin/quotas',
  policies: '/admin/policies',
  'instance-tokens': '/admin/tokens',
}
/** Pages on which admins find more. */
const seenByAdmins = ['disabled', 'repo-settings', 'admin-user']

/** Halves that take about as long, for two at a time. */
const halves = ['odd', 'even']

for (const [half, title] of halves.entries())
  test(`every page, those of ${title} places`, async ({
    browser,
    server,
    owner,
    stranger,
    admin,
    complaints,
  }) => {
    test.setTimeout(400_000)
    const { person, addresses } = await givenPages(owner, stranger, admin)
    const context = await browser.newContext({ baseURL: server.url })
    context.on('console', (message) => {
      const isFault = message.type() === 'error' && !message.text().includes('status of 4')
      // The public hub is out of reach here, and the page says so.
      const isOfUpstream = message.location().url.includes('/discover/')
      if (isFault && !isOfUpstream) complaints.push(message.text())
    })
    const page = await context.newPage()
    await watchPage(page)
    const look = { page, settled: watchRequests(page, 100) }
    const faults: string[] = []
    let place = 0
    const inspectAll = async (pages: [name: string, address: string][]) => {
      for (const [name, address] of pages)
        if (place++ % halves.length === half) faults.push(...(await inspect(look, name, address)))
    }
    const asOf = (names: string[], kind: string): [string, string][] =>
      names.map((name) => [`${name}-${kind}`, addresses[name] ?? ''])
    await inspectAll(Object.entries(strangers))
    await inspectAll(asOf(seenByVisitors, 'visitor'))
    await signIn(context, server.url, stranger)
    await inspectAll(asOf(seenByGuests, 'guest'))
    await signIn(context, server.url, person)
    await inspectAll(Object.entries(addresses))
    await signIn(context, server.url, admin)
    await inspectAll(Object.entries(admins))
    await inspectAll(asOf(seenByAdmins, 'admin'))
    await context.close()
    expect(faults).toEqual([])
  })
