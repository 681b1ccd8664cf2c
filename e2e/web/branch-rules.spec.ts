import { expect, givenRepo, signIn, test } from './fixtures.ts'
import { lookAt } from './look.ts'

test('a branch is protected, and changes to it become pull requests', async ({
  page,
  context,
  server,
  person,
  stranger,
}) => {
  test.setTimeout(180_000)
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\n' } })
  const people = { items: [{ username: stranger.username, role: 'write' }] }
  await person.native('PUT', `${repo.api}/collaborators`, people)
  await person.native('POST', `${repo.api}/branches`, { name: 'release/1', from: 'main' })

  await page.goto(`${repo.page}/settings`)
  const section = page.getByRole('region', { name: 'Branches' })
  await section.getByRole('button', { name: 'Add a rule' }).click()
  const form = section.getByRole('form', { name: 'New branch rule' })
  await expect(form.getByLabel('Branch or pattern')).toHaveValue('main')
  await expect(form.getByLabel('Changes need a pull request')).toBeChecked()
  await form.getByLabel('Approvals before a merge').fill('1')
  await form.getByRole('button', { name: 'Protect' }).click()
  await expect(section.getByText('pull requests only')).toBeVisible()
  await expect(section.getByText('1 approval', { exact: true })).toBeVisible()

  // A second rule by the same pattern is refused, and the form keeps what was typed.
  await section.getByRole('button', { name: 'Add a rule' }).click()
  await form.getByLabel('Branch or pattern').fill('main')
  await form.getByRole('button', { name: 'Protect' }).click()
  await expect(form.getByText('A rule for "main" exists')).toBeVisible()
  await form.getByLabel('Branch or pattern').fill('release/*')
  await form.getByLabel('Changes need a pull request').uncheck()
  await form.getByRole('button', { name: 'Protect' }).click()
  await expect(section.getByText('no rewriting')).toBeVisible()
  await section.getByRole('button', { name: 'Edit the rule release/*' }).click()
  const edit = section.getByRole('form', { name: 'Rule release/*' })
  await edit.getByLabel('Allow deleting it').check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toHaveCount(0)
  await expect(section.getByText('no deletion')).toHaveCount(1)
  await lookAt(page, { settings: `${repo.page}/settings`, branches: `${repo.page}/branches` })

  await signIn(context, server.url, stranger)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${repo.page}/branches`)
  await expect(page.getByText('protected')).toBeVisible()
  await page.goto(`${repo.page}/blob/main/notes.txt`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByText('this opens a pull request')).toBeVisible()
  await page.getByLabel('Text').fill('two\n')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)
  await expect(page.getByRole('heading', { name: 'Waiting for reviews' })).toBeVisible()
  await expect(page.getByText('requires 1 approval of the newest commits. It has 0.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Merge…' })).toHaveCount(0)
  const { pull_request: pull } = await person.native<{ pull_request: { head_commit: string } }>(
    'GET',
    `${repo.api}/discussions/1`,
  )
  const review = { verdict: 'approve', head: pull.head_commit, body: 'Good.' }
  await person.native('POST', `${repo.api}/discussions/1/reviews`, review)
  await page.reload()
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await expect(page.getByRole('heading', { name: 'Merged into main', exact: true })).toBeVisible()
})

test('rules are deleted', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\n' } })
  await person.native('POST', `${repo.api}/branch-rules`, { pattern: 'main' })
  await page.goto(`${repo.page}/settings`)
  const section = page.getByRole('region', { name: 'Branches' })
  await section.getByRole('button', { name: 'Delete the rule main' }).click()
  await expect(section.getByText('No branch is protected')).toBeVisible()
  expect(await person.native('GET', `${repo.api}/branch-rules`)).toEqual({ items: [] })
})
