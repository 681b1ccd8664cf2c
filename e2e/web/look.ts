import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from './fixtures.ts'

/** With ARSENAL_SCREENS in the environment pages are pictured too, to be looked at: that takes a third more time. */
export const isPictured = Boolean(process.env['ARSENAL_SCREENS'])

/** Windows that pages are looked at in; pictures are made of the sizes that most people have. */
export const wide = isPictured ? { width: 1440, height: 900 } : { width: 1360, height: 850 }
export const narrow = isPictured ? { width: 390, height: 844 } : { width: 360, height: 740 }

/** Keeps a picture of the page, below `test-results/screens`. */
export async function shoot(page: Page, picture: string): Promise<void> {
  if (!isPictured) return
  await page.screenshot({ path: `test-results/screens/${picture}.png`, fullPage: true })
}

/** Keeps pictures of the page as it is shown now, in both sizes and themes. */
export async function shootAll(page: Page, name: string): Promise<void> {
  if (!isPictured) return
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size)
    for (const theme of ['dark', 'light'] as const) {
      await turn(page, theme)
      await shoot(page, `${name}-${theme}-${size.width}`)
    }
  }
}

/** Nothing on the page leads to a sideways scroll. */
export async function checkWidth(page: Page, name: string): Promise<void> {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** Gives the page as it is shown now another theme. */
export async function turn(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
  await transitionsEnd(page)
}

/** Waits until no CSS transition runs: axe would judge colours half way between two themes. */
async function transitionsEnd(page: Page) {
  await page.waitForFunction(
    () => !document.getAnimations().some((it) => it instanceof CSSTransition && it.playState === 'running'),
  )
}

/**
 * What axe finds on a page as it is shown now, one line each. Without the legacy mode each analysis opens a page of its
 * own, for frames of other origins, of which there are none; and half of its time would go into telling what is sound.
 */
export async function faultsOf(page: Page, name: string, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${name}: ${id}: ${html} ${failureSummary}`),
  )
}

/** Waits until a page has its heading and nothing of it is being loaded; what a dialog covers counts as well. */
async function whenLoaded(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible()
  const loading = page.locator('[role=status][aria-label=Loading]')
  await expect(loading.filter({ visible: true })).toHaveCount(0)
}

/** Axe finds nothing on a page as it is shown now. */
export async function expectNoFault(page: Page): Promise<void> {
  await whenLoaded(page)
  expect(await faultsOf(page, new URL(page.url()).pathname)).toEqual([])
}

/** As `faultsOf`, of what a theme can change. */
export const colourFaultsOf = (page: Page, name: string): Promise<string[]> =>
  faultsOf(page, name, ['color-contrast', 'link-in-text-block'])

/**
 * Opens each page wide and narrow and shows it in both themes: it has a heading and no axe violation, and does not
 * scroll sideways. `addresses` are by name; `shown` waits for what comes late.
 */
export async function lookAt(
  page: Page,
  addresses: Record<string, string>,
  shown: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const size of [wide, narrow]) {
    const { width } = size
    await page.setViewportSize(size)
    for (const [name, address] of Object.entries(addresses)) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(address)
      await whenLoaded(page)
      await shown()
      await checkWidth(page, `${name} at ${width}`)
      await shoot(page, `${name}-light-${width}`)
      expect(await faultsOf(page, `${name} at ${width}`)).toEqual([])
      await turn(page, 'dark')
      await shoot(page, `${name}-dark-${width}`)
      expect(await colourFaultsOf(page, `${name} in dark at ${width}`)).toEqual([])
    }
  }
}
