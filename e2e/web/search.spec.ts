import { givenCollection } from './collections.ts'
import { expect, fresh, givenRepo, test } from './fixtures.ts'
import { narrow } from './look.ts'

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

test('the search finds organisations and collections too, and on a narrow page by its button', async ({
  page,
  person,
  admin,
}) => {
  const ns = fresh('org')
  await admin.native('POST', '/orgs', { ns })
  const collection = await givenCollection(person)
  await page.setViewportSize(narrow)
  for (const [title, text, address] of [
    ['Organisations', ns, `/${ns}`],
    ['Collections', collection.title, collection.page],
  ] as const) {
    await page.goto('/datasets')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('dialog').getByRole('combobox').fill(text)
    await page.getByRole('dialog').getByRole('group', { name: title }).getByRole('option').first().click()
    await expect(page).toHaveURL(address)
  }
})

test('the search in cards leads from the header to what READMEs say, by words, phrases and type', async ({
  page,
  person,
}) => {
  const word = fresh('quokka').replace('-', '')
  const says = (text: string) => ({ 'README.md': `---\npipeline_tag: fill-mask\n---\n# Card\n\n${text}\n` })
  const model = await givenRepo(person, {
    files: says(`It was trained on **${word}** pictures, <b>patiently</b>.`),
  })
  const data = await givenRepo(person, { type: 'dataset', files: says(`Pictures of one ${word} each.`) })
  await page.goto('/models')
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.fill(word)
  await page.getByRole('option', { name: `Search cards for “${word}”` }).click()
  await expect(page).toHaveURL(`/search?q=${word}`)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const row = rows.filter({ hasText: model.name })
  await expect(row).toContainText(`It was trained on ${word} pictures, patiently.`)
  await expect(row).toContainText('fill-mask')
  await expect(row.locator('mark')).toHaveText(word)

  // The keys of other lists move through it.
  await page.getByRole('main').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(rows.nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('k')
  await expect(rows.nth(0).getByRole('link')).toBeFocused()

  await page.getByLabel('Type').selectOption('Datasets')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(data.name)
  await expect(page).toHaveURL(`/search?q=${word}&type=datasets`)

  const box = page.getByRole('searchbox', { name: 'Search repos' })
  await box.fill(`"${word} each"`)
  await expect(rows.locator('mark')).toHaveText(`${word} each`)
  await box.fill(`"each ${word}"`)
  await expect(page.getByRole('heading', { name: 'No card says' })).toBeVisible()
  await box.fill(data.name)
  await page.getByRole('link', { name: 'Names', exact: true }).click()
  await expect(rows).toHaveCount(1)
  await rows.getByRole('link').first().click()
  await expect(page).toHaveURL(data.page)
})

test('a list whose names have nothing leads to the cards that say it', async ({ page, person }) => {
  const word = fresh('wombat').replace('-', '')
  const model = await givenRepo(person, { files: { 'README.md': `Like a ${word}.\n` } })
  await page.goto(`/models?q=${word}`)
  await page.getByRole('link', { name: `Search in cards for “${word}”` }).click()
  await expect(page).toHaveURL(`/search?q=${word}&type=models`)
  await page.getByRole('main').getByRole('link', { name: model.name }).click()
  await expect(page).toHaveURL(model.page)
})

test('a search of many cards is read page by page', async ({ page, person }) => {
  const word = fresh('numbat').replace('-', '')
  for (let n = 0; n < 31; n++) await givenRepo(person, { files: { 'README.md': `A ${word}.\n` } })
  await page.goto(`/search?q=${word}`)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(30)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(31)
})
