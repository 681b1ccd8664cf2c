import { expect, fresh, givenRepo, test } from '../fixtures.ts'
import { type, typeValue } from './typing.ts'

test('a discussion is opened, answered, and closed', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await page.goto(`${repo.page}/discussions`)
  await page.getByRole('link', { name: 'New discussion' }).click()
  await typeValue(page.getByLabel('Title'), 'Does it load?')
  await type(page.getByRole('textbox', { name: 'Description' }), 'Load it **twice**.')
  await page.getByRole('button', { name: 'Open the discussion' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)
  await type(page.getByRole('textbox', { name: 'Comment' }), 'It does.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Close the discussion' }).click()
  await expect(page.getByText('closed this')).toBeVisible()
  expect(await person.native('GET', `${repo.api}/discussions/1`)).toMatchObject({
    status: 'closed',
    title: 'Does it load?',
  })
})

test('a repo is found by the search of the header, liked, and put into a new collection', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  await page.goto('/datasets')
  const field = page.getByRole('combobox', { name: 'Search' })
  await typeValue(field, repo.name)
  await expect(page.getByRole('group', { name: 'Models' }).getByRole('option')).toHaveText([
    `${person.username}/${repo.name}`,
  ])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(repo.page)
  await page.getByRole('button', { name: 'Like, 0 so far' }).click()
  await expect.poll(async () => (await person.native('GET', repo.api))['likes']).toBe(1)

  await page.goto('/collections')
  await page.getByRole('link', { name: 'New collection' }).first().click()
  const title = fresh('Small models')
  await typeValue(page.getByLabel('Title'), title)
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await typeValue(page.getByRole('combobox', { name: 'Add a repo or collection' }), repo.name)
  await page.getByRole('option', { name: repo.name }).click()
  const items = page.getByRole('list', { name: 'Items of this collection' }).getByRole('listitem')
  await expect(items).toContainText([repo.name])
})
