import { expect, givenRepo, test } from './fixtures.ts'

test('the search of the header finds models, datasets and people while one types; Enter opens the first', async ({
  page,
  person,
}) => {
  const model = await givenRepo(person)
  const data = await givenRepo(person, { type: 'dataset' })
  await page.goto('/datasets')
  const field = page.getByRole('combobox', { name: 'Search' })
  // The page listens for the key once it has run.
  await expect(field).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(field).toBeFocused({ timeout: 1000 })
  }).toPass()
  await page.keyboard.type(data.name)
  await expect(page.getByRole('group', { name: 'Datasets' }).getByRole('option')).toHaveText([
    `${person.username}/${data.name}`,
  ])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(data.page)

  await field.fill(person.username)
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option')).toContainText([
    person.username,
  ])
  await expect(page.getByRole('group', { name: 'Models' }).getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)

  // Enter may come before the answer does.
  await field.fill(model.name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(model.page)
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('dialog').getByRole('group', { name: 'Recent repos' })
  await expect(recent.getByRole('option').first()).toHaveText(`${person.username}/${model.name}`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(data.page)
})
