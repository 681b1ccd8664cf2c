import { chromium } from '@playwright/test'
import { expect, givenRepo, test } from './fixtures.ts'

test('a name is copied on plain http, where browsers have no clipboard for pages', async ({
  server,
  owner,
}) => {
  const repo = await givenRepo(owner, { files: { 'README.md': '# A card\n\n```\nonly line\n```\n' } })
  const executablePath = process.env['ARSENAL_CHROMIUM'] ?? '/usr/bin/chromium'
  const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP hub.test 127.0.0.1']
  const browser = await chromium.launch({ executablePath, args })
  try {
    const page = await browser.newPage()
    await page.goto(`http://hub.test:${new URL(server.url).port}${repo.page}`)
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
    // One line in a fence is a block of its own.
    await expect(page.locator('pre').filter({ hasText: 'only line' })).toBeVisible()
    await page.getByRole('button', { name: 'Copy the name' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    await page.getByPlaceholder('Search models, datasets, people').click()
    await page.keyboard.press('ControlOrMeta+v')
    await expect(page.locator('input:focus')).toHaveValue(`${repo.ns}/${repo.name}`)
  } finally {
    await browser.close()
  }
})
