import type { Locator } from '@playwright/test'
import { givenCollection } from './collections.ts'
import { expect, fresh, givenRepo, signIn, test, type Page } from './fixtures.ts'

interface Collection {
  title: string
  slug: string
  visibility: string
  description?: string
  theme?: string
  items: { item: { name: string }; note?: string }[]
}

const namesOf = ({ items }: Collection) => items.map(({ item }) => item.name)
const rows = (page: Page) =>
  page.getByRole('list', { name: 'Items of this collection' }).getByRole('listitem')

test('a collection is made, filled by search, noted, put in order, edited and deleted', async ({
  page,
  person,
}) => {
  const repos = [
    await givenRepo(person),
    await givenRepo(person, { type: 'dataset' }),
    await givenRepo(person),
  ]
  const [a, b, c] = repos.map(({ name }) => name) as [string, string, string]
  await page.goto('/collections')
  await page.getByRole('link', { name: 'New collection' }).first().click()
  const title = fresh('Small models')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Description').fill('They fit.')
  await page.getByText('green', { exact: true }).click()
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(page.getByText('Nothing is in it yet')).toBeVisible()

  for (const name of [a, b, c]) {
    await page.getByRole('combobox', { name: 'Add a repo or collection' }).fill(name)
    await page.getByRole('option', { name }).click()
    await expect(rows(page).last()).toContainText(name)
  }
  await page.getByRole('button', { name: `Add a note to ${person.username}/${b}` }).click()
  await page.getByRole('textbox', { name: /Note on/ }).fill('The data.')
  await page.keyboard.press('Control+Enter')
  await expect(rows(page).nth(1)).toContainText('The data.')

  const down = page.getByRole('button', { name: `Move ${person.username}/${a} down` })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText([b, a, c])
  await expect(down).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'is now 2 of 3' })).toHaveCount(1)
  const grip = rows(page).nth(2).locator('button').first()
  await grip.hover()
  await page.mouse.down()
  const first = await rows(page).first().boundingBox()
  await page.mouse.move((first?.x ?? 0) + 20, (first?.y ?? 0) + 5, { steps: 5 })
  await page.mouse.up()
  await expect(rows(page)).toContainText([c, b, a])

  const api = new URL(page.url()).pathname
  const stored = () => person.native<Collection>('GET', api)
  await expect.poll(async () => namesOf(await stored())).toEqual([c, b, a])
  expect(await stored()).toMatchObject({ visibility: 'private', theme: 'green', description: 'They fit.' })
  await page.getByRole('button', { name: `Remove ${person.username}/${c}` }).click()
  await expect(rows(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Title').fill(`${title} and data`)
  await page.getByRole('dialog').getByText('Public').click()
  await page.getByRole('dialog').getByRole('radio', { name: 'none' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: `${title} and data` })).toBeVisible()
  await expect(page).toHaveURL(/-and-data-[0-9a-f]{24}$/)
  expect(await stored()).not.toHaveProperty('theme')
  expect(await stored()).toMatchObject({
    visibility: 'public',
    items: [{ item: { name: b }, note: 'The data.' }, { item: { name: a } }],
  })

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete collection' }).click()
  await expect(page).toHaveURL(`/${person.username}`)
  await expect(page.getByRole('region', { name: 'collections' }).getByText(title)).toHaveCount(0)
  await expect(stored()).rejects.toThrow('404')
})

test('a repo is put into collections from its own page, and leads to those of others', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person)
  const ref = { type: 'model', ns: repo.ns, name: repo.name } as const
  const [mine, theirs] = [await givenCollection(person), await givenCollection(stranger, [ref])]
  await page.goto(repo.page)
  await page.getByRole('button', { name: 'Collections' }).click()
  const dialog = page.getByRole('dialog', { name: 'Collections with this repo' })
  await expect(dialog.getByRole('link', { name: theirs.title })).toBeVisible()
  const box = dialog.getByRole('checkbox', { name: mine.title })
  // Not `check`, which wants the box changed before the page has had its turn.
  await box.click()
  await expect(box).toBeChecked()
  const stored = async () => namesOf(await person.native<Collection>('GET', mine.api))
  await expect.poll(stored).toEqual([repo.name])
  await box.click()
  await expect(box).not.toBeChecked()
  await expect.poll(stored).toEqual([])
  await dialog.getByRole('link', { name: 'New collection with it' }).click()
  const title = fresh('Begun')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(rows(page)).toContainText([repo.name])
})

test('others see what is public in a collection and change nothing', async ({
  page,
  person,
  stranger,
  context,
  server,
}) => {
  const [open, hidden] = [await givenRepo(person), await givenRepo(person, { visibility: 'private' })]
  const repos = [open, hidden].map(({ ns, name }) => ({ type: 'model', ns, name }) as const)
  const shown = await givenCollection(person, repos)
  await signIn(context, server.url, stranger)
  await page.goto(`/collections?q=${shown.title}`)
  await page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: shown.title }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText(hidden.name)).toHaveCount(0)
  await expect(page.getByText('1 item', { exact: false }).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: /Edit|Delete|Move|Remove/ })).toHaveCount(0)
})

test('a collection holds another one, and is upvoted by others', async ({
  page,
  person,
  stranger,
  context,
  server,
}) => {
  const [outer, inner] = [await givenCollection(person), await givenCollection(person)]
  await page.goto(outer.page)
  const box = page.getByRole('combobox', { name: 'Add a repo or collection' })
  await box.fill(inner.title)
  await page.getByRole('option', { name: inner.title }).click()
  await expect(rows(page)).toContainText([inner.title])
  await box.fill(outer.title)
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('Escape')

  await signIn(context, server.url, stranger)
  await page.goto(outer.page)
  const button = page.getByRole('button', { name: 'Upvote' })
  await expect(button).toHaveAttribute('aria-pressed', 'false')
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await expect(button).toHaveAccessibleName('Upvote 1')
  const upvotes = async () => (await person.native<{ upvotes: number }>('GET', outer.api)).upvotes
  expect(await upvotes()).toBe(1)
  await page.goto('/collections?sort=upvotes')
  await expect(page.getByRole('list', { name: 'Collections' }).getByRole('listitem').first()).toContainText(
    outer.title,
  )
  await page.getByLabel('Sort by').selectOption('trending')
  await expect(page).toHaveURL('/collections?sort=trending')
  await page.goto(outer.page)
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'false')
  expect(await upvotes()).toBe(0)

  await rows(page).getByRole('link', { name: inner.title }).click()
  await expect(page).toHaveURL(inner.page)
  await page.goto(inner.page)
  await person.native('DELETE', inner.api)
  await page.goto(outer.page)
  await expect(rows(page)).toHaveCount(0)
})

test('a collection has a cover of its colour, with the avatars of what is in it', async ({
  page,
  person,
  stranger,
}) => {
  const repos = [await givenRepo(person), await givenRepo(stranger), await givenRepo(person)]
  const refs = repos.map(({ ns, name }) => ({ type: 'model', ns, name }) as const)
  const filled = await givenCollection(person, refs, { theme: 'green' })
  const empty = await givenCollection(person)
  const cardOf = ({ title }: typeof filled) =>
    page.getByRole('list', { name: 'Collections' }).getByRole('listitem').filter({ hasText: title })
  const avatars = (of: Locator) =>
    of
      .locator('img')
      .evaluateAll((all) => all.map((image) => new URL((image as HTMLImageElement).src).pathname))
  const avatarOf = ({ username }: { username: string }) => expect.stringContaining(username)
  await page.goto('/collections')
  await expect.poll(() => avatars(cardOf(filled))).toEqual([avatarOf(person), avatarOf(stranger)])
  expect(await avatars(cardOf(empty))).toEqual([avatarOf(person)])
  const colour = (of: Locator) =>
    of
      .locator('img')
      .first()
      .evaluate((image) => getComputedStyle(image.parentElement ?? image).backgroundImage)
  expect(await colour(cardOf(filled))).not.toBe(await colour(cardOf(empty)))
  await cardOf(filled).getByRole('link', { name: filled.title }).click()
  await expect(page.getByRole('heading', { name: filled.title })).toBeVisible()
  expect(await avatars(page.getByRole('main'))).toEqual([avatarOf(person), avatarOf(stranger)])
})
