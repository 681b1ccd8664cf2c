import { expectNoFault } from './look.ts'
import { givenDiscussion } from './community.ts'
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

test('a text waits for a slow connection, and is laid out when the script for it has come', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'From far away', 'It is **slow** here.')
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  const asked = page.waitForRequest(/markdown\.worker/)
  await page.route(/markdown\.worker/, (route) => arrival.then(() => route.continue()))
  await page.clock.install()
  await page.goto(`${repo.page}/discussions/${num}`)
  await asked
  const article = page.getByRole('article')
  await expect(article).toContainText('It is **slow** here.')
  await page.clock.fastForward(60_000)
  await expect(article.getByRole('note')).toHaveCount(0)
  arrive()
  await expect(article.locator('strong')).toHaveText('slow')
})
