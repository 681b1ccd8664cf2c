import { givenPull } from './community.ts'
import { expect, givenRepo, test } from './fixtures.ts'
import { lookAt, shootAll } from './look.ts'

test('a pull request without commits is a draft until its author says that it is ready', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  await page.goto(`${repo.page}/discussions/new?kind=pull_request`)
  await page.getByLabel('Title').fill('To come')
  await page.getByRole('button', { name: 'Open without commits' }).click()
  await expect(page.getByText('draft', { exact: true })).toBeVisible()
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'refs/pr/1',
    title: 'Change a',
    operations: [{ op: 'add', path: 'a.txt', text: 'b\n' }],
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This is a draft' })).toBeVisible()
  await page.getByRole('button', { name: 'Ready for review' }).click()
  await expect(page.getByText('said that this is ready')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Can be merged into main' })).toBeVisible()
})

test('a pull request is created as a draft, made ready, and turned into a draft again', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  const at = `${repo.page}/discussions/1`
  const standing = () =>
    person.native<{ pull_request: { draft: boolean } }>('GET', `${repo.api}/discussions/1`)
  await page.goto(`${repo.page}/new/main`)
  await page.getByLabel('File name').fill('b.txt')
  await page.getByLabel('Text').fill('b\n')
  await expect(page.getByRole('checkbox', { name: 'Create as draft' })).toHaveCount(0)
  await page.getByRole('radio', { name: /^As a pull request/ }).check()
  await page.getByRole('checkbox', { name: 'Create as draft' }).check()
  await shootAll(page, 'draft-choice')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(at)
  const merging = page.getByRole('region', { name: 'Merging' })
  await expect(merging.getByRole('heading', { name: 'This is a draft' })).toBeVisible()
  await expect(merging).toContainText('A draft cannot be merged.')
  await expect(page.getByRole('button', { name: 'Merge…' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Convert to draft' })).toHaveCount(0)
  await expect(person.native('POST', `${repo.api}/discussions/1/merge`)).rejects.toThrow('is a draft')

  await merging.getByRole('button', { name: 'Ready for review' }).press('Enter')
  await expect(page.getByText('said that this is ready')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Merge…' })).toBeVisible()
  await lookAt(page, { 'draft-ready': at })
  await page.goto(at)
  await page.getByRole('button', { name: 'Convert to draft' }).press('Enter')
  await expect(page.getByText('made this a draft')).toBeVisible()
  await expect(merging.getByRole('heading', { name: 'This is a draft' })).toBeVisible()
  expect(await standing()).toMatchObject({ status: 'open', pull_request: { draft: true } })
  await lookAt(page, { draft: at })
  await page.goto(at)
  await page.getByRole('button', { name: 'Ready for review' }).click()
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await expect(page.getByRole('heading', { name: 'Merged into main' })).toBeVisible()
})

test('a draft of somebody else is converted by writers alone', async ({ page, person, stranger }) => {
  const repo = await givenRepo(stranger, { files: { 'a.txt': 'a\n' } })
  await givenPull(stranger, repo, 'Theirs', { 'a.txt': 'b\n' })
  await givenPull(person, repo, 'Mine', { 'a.txt': 'c\n' })
  await page.goto(`${repo.page}/discussions/1`)
  await expect(page.getByRole('heading', { name: 'Can be merged into main' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Convert to draft' })).toHaveCount(0)
  await page.goto(`${repo.page}/discussions/2`)
  await page.getByRole('button', { name: 'Convert to draft' }).click()
  await expect(page.getByRole('heading', { name: 'This is a draft' })).toBeVisible()
  await expect(page.getByText('made this a draft')).toBeVisible()
})
