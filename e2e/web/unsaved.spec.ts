import { givenDiscussion } from './community.ts'
import { expect, givenRepo, scriptOf, test } from './fixtures.ts'

test('an edited file is not left, closed or lost unasked', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\n' } })
  const edit = `${repo.page}/edit/main/notes.txt`
  await page.goto(edit)
  const text = page.getByRole('textbox', { name: 'Text' })
  const community = page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Community' })
  await text.fill('two\n')

  await community.click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await expect(page).toHaveURL(edit)
  await expect(text).toContainText('two')

  const closing = page.waitForEvent('dialog')
  // The answer to a reload that was refused never comes.
  void page.evaluate(() => location.reload())
  const asked = await closing
  expect(asked.type()).toBe('beforeunload')
  await asked.dismiss()
  await expect(text).toContainText('two')

  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/notes.txt`)
  await expect(page.getByText('two')).toBeVisible()
  await page.goto(edit)
  await text.fill('three\n')
  await community.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions`)
})

test('a discussion and a comment are not lost unasked, and leave nothing to ask once they are sent', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'First')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.goto(`${repo.page}/discussions/${num}`)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('Half a thought')
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Files' })
    .click()
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await expect(comment).toHaveValue('Half a thought')

  // As after an update of the server, which has other parts than the page knows.
  const part = scriptOf('app/key-list.tsx')
  await page.route(part, (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('main').focus()
  await page.keyboard.press('Shift+?')
  await expect(page.getByText('A part of this page could not be fetched')).toBeVisible()
  await expect(comment).toHaveValue('Half a thought')
  await page.unroute(part)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('article').getByText('Half a thought')).toBeVisible()

  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Community' })
    .click()
  await page.getByRole('link', { name: 'New discussion' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Second')
  await page.goBack()
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await page.getByRole('button', { name: 'Open the discussion' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/${num + 1}`)
})

test('settings that were not saved are not left unasked, and once they are saved nothing is asked', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.goto(`${repo.page}/settings`)
  await page.getByLabel('Description').fill('Said at length')
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Insights' })
    .click()
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await page.getByRole('region', { name: 'General' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Insights' })
    .click()
  await expect(page).toHaveURL(`${repo.page}/insights`)
})
