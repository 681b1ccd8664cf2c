import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../fixtures/server.mjs'
import { expect, test } from './fixtures.ts'

const password = 'brisk-heron-vault-77'

test('the first admin chooses a password, and the list of first steps is ticked', async ({ browser }) => {
  const server = await startServer({ 'security.bootstrap_admin.password': '' })
  try {
    const file = join(server.dir, 'bootstrap-admin-password')
    const generated = readFileSync(file, 'utf8').trim()
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    await page.goto('/login')
    await page.getByRole('textbox', { name: /Username/ }).fill('service-admin')
    await page.locator('input[type=password]').fill(generated)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()

    const list = page.getByRole('region', { name: 'Set up this server' })
    await list.getByRole('link', { name: 'Choose a password of your own' }).click()
    await page.getByLabel('Current password').fill(generated)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed')).toBeVisible()
    expect(existsSync(file)).toBe(false)

    await page.goto('/')
    await expect(list.getByText('Choose a password of your own (done)')).toBeVisible()
    for (const step of ['Add people', 'Make a token', 'Create a repo'])
      await expect(list.getByRole('link', { name: step })).toBeVisible()
    await list.getByRole('button', { name: 'Close the list' }).click()
    await expect(list).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Trending' })).toBeVisible()
    await expect(list).toHaveCount(0)
  } finally {
    await server.stop()
  }
})

test('who closes the list is still asked for a password, and may put it off', async ({ browser }) => {
  const server = await startServer({ 'security.bootstrap_admin.password': '' })
  try {
    const generated = readFileSync(join(server.dir, 'bootstrap-admin-password'), 'utf8').trim()
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    await page.goto('/login')
    await page.getByRole('textbox', { name: /Username/ }).fill('service-admin')
    await page.locator('input[type=password]').fill(generated)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Close the list' }).click()
    const asked = page.getByRole('alert').filter({ hasText: 'Choose a password of your own' })
    await expect(asked.getByRole('link', { name: 'Choose a password' })).toHaveAttribute(
      'href',
      '/settings/password',
    )
    await asked.getByRole('button', { name: 'Later' }).click()
    await expect(asked).toHaveCount(0)
  } finally {
    await server.stop()
  }
})
