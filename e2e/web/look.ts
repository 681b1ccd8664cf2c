import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from './fixtures.ts'
import type { TestInfo } from '@playwright/test'

/**
 * Opens each page in both themes, at 1280 and 390 points: it has a heading and no axe violation, and does not scroll
 * sideways. Its picture is kept among the results of the test, to be looked at. `addresses` are by name; `shown` waits for what
 * comes late.
 */
export async function lookAt(
  page: Page,
  info: TestInfo,
  addresses: Record<string, string>,
  shown: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      for (const [name, address] of Object.entries(addresses)) {
        await page.goto(address)
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
        await shown()
        await page.screenshot({ path: info.outputPath(`${name}-${theme}-${width}.png`), fullPage: true })
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        expect(
          violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
          `${name} ${theme} ${width}`,
        ).toEqual([])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow, `${name} scrolls sideways at ${width}`).toBeLessThanOrEqual(0)
      }
    }
}
