import { expect, signIn, test, type Person } from './fixtures.ts'

test('an admin sees what the checks find, worst first, and checks again', async ({
  page,
  context,
  admin,
  server,
}) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Health' }).click()
  const row = (check: string) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: check, exact: true }) })
  await expect(row('database')).toContainText('can be written to')
  await expect(row('store')).toContainText('written, read by range and deleted')
  await expect(row('public address')).toContainText(`${server.url} reaches a server`)
  const results = await page.getByRole('row').locator('td:first-child').allInnerTexts()
  const ranks = results.map((text) => ['failed', 'look at it', 'ok'].indexOf(text.trim()))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(ranks).not.toContain(-1)
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/admin/health') && answer.ok())
  await page.getByRole('button', { name: 'Check again' }).click()
  await answered
  await expect(row('database')).toContainText('can be written to')
})

test('others are refused', async ({ page, context, server }) => {
  const person = (await server.newPerson('health')) as Person
  await signIn(context, server.url, person)
  await page.goto('/admin/health')
  await expect(page.getByText('Only instance admins see this')).toBeVisible()
  await expect(person.native('GET', '/admin/health')).rejects.toThrow()
})
