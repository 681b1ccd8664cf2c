import { commitTexts, givenDiscussion } from './community.ts'
import { expect, givenRepo, test, type Page } from './fixtures.ts'

/** Presses a key, after which the row's link has the focus and is in sight. */
async function stepTo(page: Page, key: string, name: string | RegExp) {
  const link = page.getByRole('main').getByRole('link', { name, exact: typeof name === 'string' })
  await page.keyboard.press(key)
  await expect(link).toBeFocused()
  await expect(link).toBeInViewport()
}

test('rows of lists are gone through by j and k, and opened by Enter', async ({ page, person }) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i + 10}.txt`, `${i}\n`]))
  const repo = await givenRepo(person, { files: { ...files, 'dir/a.txt': 'a\n' } })
  await commitTexts(person, repo, 'main', { 'f10.txt': 'changed\n' })
  await givenDiscussion(person, repo, 'First question')
  await givenDiscussion(person, repo, 'Second question')

  await page.goto(`${repo.page}/tree/main`)
  await expect(page.getByRole('link', { name: 'f69.txt' })).toBeAttached()
  await stepTo(page, 'j', 'dir')
  await stepTo(page, 'j', '.gitattributes')
  await stepTo(page, 'k', 'dir')
  await stepTo(page, 'k', 'dir')
  for (let i = 8; i < 69; i++) await page.keyboard.press('j')
  await stepTo(page, 'j', 'f69.txt')
  await stepTo(page, 'k', 'f68.txt')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/blob/main/f68.txt`)

  await page.goto(`${repo.page}/commits/main`)
  await expect(page.getByRole('link', { name: 'Change main' })).toBeVisible()
  await stepTo(page, 'j', 'Change main')
  // From elsewhere in the row too.
  await page.keyboard.press('Tab')
  await stepTo(page, 'j', 'Add files')

  await page.goto(`${repo.page}/discussions`)
  await expect(page.getByRole('link', { name: 'First question' })).toBeVisible()
  await stepTo(page, 'j', 'Second question')
  await stepTo(page, 'j', 'First question')
  const field = page.getByRole('main').getByRole('textbox').first()
  await field.focus()
  await page.keyboard.type('jk')
  await expect(field).toHaveValue('jk')
  await expect(field).toBeFocused()

  await page.goto(`/models?author=${person.username}`)
  const full = `${repo.ns}/${repo.name}`
  await expect(page.getByRole('main').getByRole('link', { name: full })).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('Control+j')
  await expect(page.getByRole('main')).toBeFocused()
  await stepTo(page, 'j', full)
  await page.keyboard.press('Shift+?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys.getByText('Next row of a list; Enter opens it')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await stepTo(page, 'k', full)
})
