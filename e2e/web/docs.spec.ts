import { expect, test } from './fixtures.ts'

test('a problem is explained, and leads to the others', async ({ page, person, server }) => {
  const answer = await fetch(`${server.url}/api/service/v1/repos/models/${person.username}/absent`)
  const { type, title } = (await answer.json()) as { type: string; title: string }
  await page.goto(type)
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await page.getByRole('link', { name: 'name-taken', exact: true }).click()
  await expect(page).toHaveURL(/\/problems\/name-taken$/)
  await expect(page.getByRole('main')).toContainText('Choose another name')
  await page.goto('/problems/no-such-code')
  await expect(page.getByText('No problem has this code')).toBeVisible()
})

test('an operation of the API is found by its name and opened', async ({ page, person: _person }) => {
  await page.goto('/docs/api')
  await page.getByRole('searchbox', { name: 'Filter operations' }).fill('createRepo')
  const operation = page.locator('details#createRepo')
  await expect(operation).toBeVisible()
  await expect(page.locator('details#deleteRepo')).toHaveCount(0)
  await operation.locator('summary').click()
  await expect(operation.getByText('Create a repo', { exact: false }).first()).toBeVisible()
  await operation.getByRole('link', { name: 'RepoCreate' }).first().click()
  await expect(page.locator('#schema-RepoCreate summary')).toBeInViewport()
})
