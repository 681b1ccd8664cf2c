import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { startServer } from '../fixtures/server.mjs'
import { expect, test as base, type Page, type Server } from './fixtures.ts'
import { checkWidth, faultsOf, shoot } from './look.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The pages as `npm run dev` serves them, before a real server. */
const test = base.extend<object, { server: Server }>({
  server: [
    async ({ browserName: _browserName }, use) => {
      const api = await startServer({ 'telemetry.log_level': 'warn', 'security.anonymous_read': true })
      process.env['ARSENAL_DEV_API'] = api.url
      const vite = await createServer({
        configFile: `${root}vite.config.ts`,
        logLevel: 'error',
        server: { port: 0, host: '127.0.0.1' },
      })
      await vite.listen()
      const url = (vite.resolvedUrls?.local[0] ?? '').replace(/\/$/, '')
      await use({ ...api, url })
      await vite.close()
      await api.stop()
    },
    { scope: 'worker' },
  ],
})

async function openDesign(page: Page, colorScheme: 'light' | 'dark', width: number) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 900 })
  await page.goto('/design')
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A heading' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'src/model.py' }).locator('mark')).toHaveText(['100', '900'])
  await expect(page.locator('.katex').first()).toBeVisible()
}

for (const theme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test(`every component in every state is without fault, ${theme}, ${width} points`, async ({ page }) => {
      await openDesign(page, theme, width)
      await shoot(page, `design-${theme}-${width}`)
      // The states of one component have one name.
      const faults = (await faultsOf(page, 'design')).filter(
        (fault) => !fault.includes(': landmark-unique: '),
      )
      expect(faults).toEqual([])
      await checkWidth(page, 'design')
    })

test('what can be pressed is reached by Tab with a ring around it, and a dialog gives the focus back', async ({
  page,
}) => {
  await openDesign(page, 'light', 1280)
  const form = page.getByRole('region', { name: 'Fields' })
  await form.getByLabel('Text', { exact: true }).focus()
  await page.keyboard.press('Tab')
  await expect(form.getByLabel('Text with an error')).toBeFocused()
  await page.keyboard.press('Tab')
  // What is disabled is passed over.
  await expect(form.getByLabel('Password').first()).toBeFocused()

  const opener = page.getByRole('button', { name: 'Open the dialog' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('you/model')
  await expect(page.getByRole('button', { name: 'Delete model' })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()

  await page.getByRole('region', { name: 'Buttons' }).getByRole('button', { name: 'Save' }).first().focus()
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(() => {
      const { activeElement } = document
      if (!activeElement || activeElement === document.body) return 'nothing has the focus'
      const style = getComputedStyle(activeElement)
      const isRinged = style.outlineStyle !== 'none' || style.boxShadow !== 'none'
      // A field shows it by its border; a radio or a switch by what stands for it.
      return isRinged || activeElement.matches('input, textarea, select') ? 'ringed' : activeElement.outerHTML
    })
    expect(seen).toBe('ringed')
  }
})

test('a picture, a row and its wait open in full', async ({ page }) => {
  await openDesign(page, 'light', 1280)
  await page.getByRole('button', { name: 'Open the picture' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Open the file' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open the row' }).click()
  await expect(
    page.getByRole('dialog', { name: /Row 7/ }).getByRole('region', { name: 'text' }),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open the awaited row' }).click()
  await expect(page.getByRole('dialog').getByRole('status', { name: 'Loading' })).toBeVisible()
})

test('what is built holds no page of components', async () => {
  const folder = `${root}dist/web/assets`
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  const words = 'Every component of web/ui in its states'
  expect(scripts.filter((name) => readFileSync(`${folder}/${name}`, 'utf8').includes(words))).toEqual([])
  expect(scripts.filter((name) => name.startsWith('design'))).toEqual([])
  expect(readFileSync(`${root}web/features/design/design.page.tsx`, 'utf8')).toContain(words)
})
