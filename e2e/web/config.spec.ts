import { expect, signIn, test, type Person } from './fixtures.ts'

test('an admin finds a key, its value and what set it, but no secret', async ({
  page,
  context,
  admin,
  server,
}) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Configuration' }).click()
  const row = (key: string) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: `Copy ${key}`, exact: true }) })
  await expect(row('server.public_url')).toContainText(server.url)
  await expect(row('server.public_url')).toContainText(/environment variable|file |flag /)
  await expect(row('gc.grace_period')).toContainText('–')
  await expect(row('security.bootstrap_admin.password')).toContainText('set (secret)')
  await page.getByRole('searchbox', { name: 'Filter keys' }).fill('grace_period')
  await expect(row('server.public_url')).toHaveCount(0)
  await expect(row('gc.grace_period')).toBeVisible()
  // Its state is part of the address, so that it follows the press a moment later.
  const onlySet = page.getByRole('switch', { name: 'Only what is set' })
  await onlySet.click()
  await expect(onlySet).toBeChecked()
  await expect(page).toHaveURL(/changed=1/)
  await page.getByRole('searchbox', { name: 'Filter keys' }).fill('no such key at all')
  await page.getByRole('button', { name: 'Show all keys' }).click()
  await expect(row('server.public_url')).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/config$/)
})

test('others are refused', async ({ page, context, server }) => {
  const person = (await server.newPerson('config')) as Person
  await signIn(context, server.url, person)
  await page.goto('/admin/config')
  await expect(page.getByText('Only instance admins see this')).toBeVisible()
  await expect(person.native('GET', '/admin/config')).rejects.toThrow()
})
