import { commitTexts } from './community.ts'
import { expect, givenRepo, test } from './fixtures.ts'
import { expectNoFault } from './look.ts'

interface Refs {
  branches: { name: string }[]
}

test('two branches are compared, and one of them is deleted', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\n', 'docs/b.txt': 'b\n' } })
  await person.native('POST', `${repo.api}/branches`, { name: 'dev' })
  await commitTexts(person, repo, 'dev', { 'a.txt': 'two\n' })
  await commitTexts(person, repo, 'main', { 'docs/b.txt': 'B\n' })
  await page.goto(`${repo.page}/commits/main`)
  await page.getByRole('link', { name: 'Branches and tags' }).click()
  const row = page.getByRole('list', { name: 'Branches' }).getByRole('listitem').filter({ hasText: 'dev' })
  await expect(row.getByText('1 ahead, 1 behind')).toBeVisible({ timeout: 60_000 })
  await row.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByText('2 files differ')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('dev is 1 ahead of main and 1 behind')).toBeVisible()
  const file = page.getByRole('region', { name: 'a.txt' })
  await expect(file.getByRole('row', { name: /- one/ })).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ two/ })).toBeVisible()
  await page.getByRole('link', { name: 'Swap the revisions' }).click()
  await expect(file.getByRole('row', { name: /\+ one/ })).toBeVisible()

  await page.goto(`${repo.page}/branches`)
  await row.getByRole('button', { name: 'Delete the branch dev' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0, { timeout: 60_000 })
  const { branches } = await person.native<Refs>('GET', `${repo.api}/refs`)
  expect(branches.map(({ name }) => name)).toEqual(['main'])
})

test('two commits are compared, and a tag with a branch', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\n' } })
  const shas: string[] = []
  for (const text of ['two\n', 'three\n', 'four\n']) {
    const made = await commitTexts(person, repo, 'main', { 'a.txt': text })
    shas.push((made as { commit: string }).commit)
  }
  const [second = '', third = ''] = shas
  await person.native('POST', `${repo.api}/tags`, { name: 'v1', revision: second })
  const file = page.getByRole('region', { name: 'a.txt' })
  const revisions = page.getByRole('dialog', { name: 'Revisions' })

  await page.goto(`${repo.page}/commit/${second}`)
  await page.getByRole('link', { name: 'Compare with main' }).click()
  await expect(file.getByRole('row', { name: /- two/ })).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ four/ })).toBeVisible()
  await page.getByRole('button', { name: 'Revision main' }).click()
  await revisions.getByRole('textbox').fill(third)
  await revisions.getByRole('link', { name: `Commit ${third.slice(0, 8)}` }).click()
  await expect(page).toHaveURL(`${repo.page}/compare?base=${second}&head=${third}`)
  await expect(
    page.getByText(`${third.slice(0, 8)} is 1 ahead of ${second.slice(0, 8)} and 0 behind`),
  ).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ three/ })).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ four/ })).toHaveCount(0)

  await page.goto(`${repo.page}/compare`)
  await expect(page.getByRole('heading', { name: 'Nothing differs' })).toBeVisible()
  await page.getByRole('button', { name: 'Revision main' }).first().click()
  await revisions.getByRole('tab', { name: /^Tags/ }).click()
  await revisions.getByRole('link', { name: 'v1' }).click()
  await expect(page).toHaveURL(`${repo.page}/compare?base=v1&head=main`)
  await expect(page.getByText('main is 2 ahead of v1 and 0 behind')).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ four/ })).toBeVisible()
})

test('a branch and a tag are made on their page, and a name that is taken is said so', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\n' } })
  await commitTexts(person, repo, 'main', { 'a.txt': 'two\n' })
  await page.goto(`${repo.page}/branches`)
  await page.getByRole('button', { name: 'New branch' }).click()
  const dialog = page.getByRole('dialog', { name: 'New branch' })
  await dialog.getByLabel('Name').fill('main')
  await dialog.getByRole('button', { name: 'Create branch' }).click()
  await expect(dialog.getByText('already exists')).toBeVisible()
  await dialog.getByLabel('Name').fill('next')
  await page.keyboard.press('Enter')
  const branches = page.getByRole('list', { name: 'Branches' })
  await expect(branches.getByRole('link', { name: 'next' })).toBeVisible()

  const { items } = await person.native<{ items: { sha: string }[] }>('GET', `${repo.api}/commits?rev=main`)
  const first = items[1]?.sha ?? ''
  await page.getByRole('button', { name: 'New tag' }).click()
  const tagging = page.getByRole('dialog', { name: 'New tag' })
  await tagging.getByLabel('Name').fill('v1.0')
  await tagging.getByLabel('At').fill(first)
  await tagging.getByRole('button', { name: 'Create tag' }).click()
  const tag = page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'v1.0' })
  await expect(tag).toBeVisible()
  await expect(page.getByRole('button', { name: 'New tag' })).toBeFocused()
  const refs = await person.native<Record<'branches' | 'tags', { name: string; target_commit: string }[]>>(
    'GET',
    `${repo.api}/refs`,
  )
  expect(refs.branches).toMatchObject([
    { name: 'main', target_commit: items[0]?.sha },
    { name: 'next', target_commit: items[0]?.sha },
  ])
  expect(refs.tags).toMatchObject([{ name: 'v1.0', target_commit: first }])
  await tag.click()
  await expect(page).toHaveURL(`${repo.page}/tree/v1.0`)
})

test('a commit is reverted by a pull request, which says what has changed since', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\n', 'b.txt': 'b\n' } })
  const { commit } = (await commitTexts(person, repo, 'main', { 'a.txt': 'two\n', 'b.txt': 'B\n' })) as {
    commit: string
  }
  await commitTexts(person, repo, 'main', { 'b.txt': 'later\n' })
  await page.goto(`${repo.page}/commit/${commit}`)
  await page.getByRole('button', { name: 'Revert' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revert this commit' })
  await expect(dialog.getByText('Changed again since')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText(['b.txt'])
  await dialog.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)
  await expect(page.getByText('Can be merged into main')).toBeVisible({ timeout: 60_000 })
  await page.goto(`${repo.page}/discussions/1/files`)
  await expect(page.getByRole('region', { name: 'a.txt' }).getByRole('row', { name: /\+ one/ })).toBeVisible()
})

test('the history draws a merge and lists what it has brought', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\n' } })
  const opened = await person.native<{ pull_request?: { num: number } }>('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Add a file aside',
    create_pull_request: true,
    operations: [{ op: 'add', path: 'aside.txt', text: 'aside' }],
  })
  const num = opened.pull_request?.num ?? 1
  await commitTexts(person, repo, 'main', { 'a.txt': 'two\n' })
  await person.native('POST', `${repo.api}/discussions/${num}/merge`, {
    method: 'merge',
    title: 'Bring it in',
  })
  await commitTexts(person, repo, 'main', { 'a.txt': 'three\n' })
  await page.goto(`${repo.page}/commits/main`)
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByTitle('Files at this commit') })
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(1)).toContainText('Bring it in')
  const lines = rows.nth(2).locator('svg line[data-lane="1"]')
  await expect(lines).toHaveCount(0)
  const merged = page.getByRole('button', { name: /: commits of/ })
  await expect(merged).toHaveAttribute('aria-expanded', 'false')
  await merged.focus()
  await page.keyboard.press('Enter')
  await expect(merged).toHaveText('1 merged')
  await expect(rows).toHaveCount(6)
  await expect(rows.nth(2)).toContainText('Add a file aside')
  await expect(rows.nth(2).locator('svg circle[data-lane="1"]')).toHaveCount(1)
  // The branch began at the commit before the one on main that it does not have.
  await expect(rows.nth(3).locator('svg line[data-lane="1"]')).toHaveCount(1)
  await expectNoFault(page)
  await merged.click()
  await expect(rows).toHaveCount(5)

  await page.goto(`${repo.page}/commits/main/a.txt`)
  await expect(rows.first()).toBeVisible()
  await expect(page.locator('main svg circle[data-lane]')).toHaveCount(0)
})
