import { givenCollection } from './collections.ts'
import { expect, givenRepo, test, type Page } from './fixtures.ts'

const card = `---
license: mit
tags: [tag-1]
---
# A model
`

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Repo', exact: true })
/** What stands beside the name. */
const beside = (page: Page, word: string) =>
  page
    .getByRole('main')
    .locator('div:has(> div > h1, > h1)')
    .filter({ has: page.getByRole('button', { name: 'Copy the name' }) })
    .getByText(word, { exact: true })

test('the header says that a repo is private, and that it is gated', async ({ page, person }) => {
  const open = await givenRepo(person)
  const hidden = await givenRepo(person, { visibility: 'private' })
  const gated = await givenRepo(person, { gated: 'manual' })
  for (const [repo, mark] of [
    [open, ''],
    [hidden, 'private'],
    [gated, 'gated'],
  ] as const) {
    await page.goto(repo.page)
    await expect(page.getByRole('button', { name: 'Copy the name' })).toBeVisible()
    for (const word of ['private', 'gated'])
      await expect(beside(page, word)).toHaveCount(word === mark ? 1 : 0)
  }
})

test('the header is low on every tab but the card', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  const height = async (address: string) => {
    await page.goto(address)
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    const [top, bottom] = await Promise.all([page.getByRole('main').boundingBox(), tabs(page).boundingBox()])
    return (bottom?.y ?? Number.NaN) - (top?.y ?? Number.NaN)
  }
  await person.native('PATCH', repo.api, { description: 'What it is for.' })
  const description = page.getByRole('paragraph').filter({ hasText: 'What it is for.' })
  const onCard = await height(repo.page)
  await expect(description).toBeVisible()
  for (const tab of ['tree/main', 'discussions', 'insights', 'settings']) {
    // Neither what it is for nor its tags, and a smaller name.
    expect(await height(`${repo.page}/${tab}`), tab).toBeLessThan(onCard - 40)
    await expect(description).toHaveCount(0)
    await expect(page.getByRole('group', { name: 'Tags' })).toHaveCount(0)
  }
})

test('beside the card are its downloads by day, its licence and the collections that it is in', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  const { ns, name } = repo
  const collection = await givenCollection(person, [{ type: 'model', ns, name }])
  // The server writes counts down once a minute: the test does not wait for that.
  await page.route('**/stats?days=30', async (route) => {
    const answer = await route.fetch()
    const stats = (await answer.json()) as { days: { downloads: number }[] }
    for (const [i, day] of stats.days.entries()) day.downloads = i % 3
    await route.fulfill({ response: answer, json: stats })
  })
  await page.goto(repo.page)
  const side = page.getByRole('complementary', { name: 'Facts' })
  await expect(side.getByText('Downloads, 30 days')).toBeVisible()
  // A point for each day, as high as its downloads are many.
  const line = (await side.locator('svg polyline').getAttribute('points')) ?? ''
  const heights = line.split(' ').map((point) => 30 - Number(point.split(',')[1]))
  expect(heights).toEqual(Array.from({ length: 30 }, (_, i) => (i % 3) * 14))

  await expect(side.getByText('Licence', { exact: true })).toBeVisible()
  await expect(side.getByRole('link', { name: 'mit', exact: true })).toHaveAttribute(
    'href',
    '/models?licence=mit',
  )
  await side
    .getByRole('region', { name: 'In collections' })
    .getByRole('link', { name: collection.title })
    .click()
  await expect(page).toHaveURL(collection.page)
})
