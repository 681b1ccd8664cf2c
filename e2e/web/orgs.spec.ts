import { expect, fresh, test } from './fixtures.ts'

test('an organisation is made, its members get roles, and it ends', async ({ page, person, stranger }) => {
  const ns = fresh('acme')
  await page.goto('/orgs/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(ns)
  await page.getByLabel('Display name').fill('Acme Research')
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await expect(page.getByRole('heading', { name: 'Acme Research' })).toBeVisible()

  await page.getByRole('link', { name: 'Organisation settings' }).click()
  await page.getByLabel('Username').fill(stranger.username)
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByLabel(`Role of ${stranger.username}`).selectOption('read')
  const roleOf = async (user: string) =>
    (await person.native<{ role: string }>('GET', `/orgs/${ns}/members/${user}`)).role
  await expect.poll(() => roleOf(stranger.username)).toBe('read')

  await page.getByRole('button', { name: `Remove ${person.username}` }).click()
  await expect(page.getByText('At least one admin must remain').first()).toBeVisible()
  await page.getByRole('button', { name: `Remove ${stranger.username}` }).click()
  await expect(page.getByLabel(`Role of ${stranger.username}`)).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete this organisation' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(ns)
  await page.getByRole('button', { name: 'Delete organisation' }).click()
  await expect(page).toHaveURL('/')
  await expect(person.native('GET', `/namespaces/${ns}`)).rejects.toThrow(/404/)
})

test('a repo is created in an organisation from its profile', async ({ page, person }) => {
  const ns = fresh('lab')
  await person.native('POST', '/orgs', { ns })
  await page.goto(`/${ns}`)
  await page.getByRole('link', { name: 'New dataset' }).click()
  await expect(page.getByLabel('Owner')).toHaveValue(ns)
  await page.getByRole('textbox', { name: 'Name' }).fill('iris')
  await page.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page).toHaveURL(`/datasets/${ns}/iris`)
})
