import { expectNoFault } from './look.ts'
import { expect, givenRepo, test } from './fixtures.ts'

test('a part that cannot be fetched leaves its page standing, and is asked for again on the next visit', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# The card\n' } })
  // What shows Markdown loads the style of code with it.
  const part = '**/assets/code-*.css'
  const missing = page.getByText('A part of this page could not be fetched')
  const card = page.getByRole('heading', { name: 'The card' })
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Repo', exact: true }).getByRole('link', { name })
  await page.route(part, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`${repo.page}/settings`)
  await tab('Card').click()
  await expect(missing).toBeVisible()
  await expectNoFault(page)

  await tab('Community').click()
  await expect(page.getByRole('link', { name: 'New discussion' })).toBeVisible()
  await page.unroute(part)
  await tab('Card').click()
  await expect(card).toBeVisible()
  await expect(missing).toHaveCount(0)
})
