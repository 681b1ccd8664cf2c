import { givenDiscussion, givenLabels } from './community.ts'
import { expect, givenRepo, signIn, test, type Page } from './fixtures.ts'
import { checkWidth, colourFaultsOf, expectNoFault, lookAt, shoot, turn } from './look.ts'

interface Sorted {
  labels: { name: string; color: string }[]
  assignees: { username: string }[]
  events: { type: string; change?: { added: { name: string }[]; removed: { name: string }[] } }[]
}

const side = (page: Page) => page.getByRole('region', { name: 'About this thread' })
const rows = (page: Page) => page.getByRole('list', { name: 'Discussions and pull requests' }).locator('> li')

test('a label is added, given to a discussion by keyboard, and finds it', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'It does not load')
  await givenDiscussion(person, repo, 'Something else')
  await page.goto(`${repo.page}/discussions`)
  await page.getByRole('button', { name: 'Labels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Labels' })
  await expect(dialog.getByText('This repo has none yet.')).toBeVisible()
  const form = dialog.getByRole('form', { name: 'New label' })
  await form.getByLabel('Name').fill('Known bug')
  await form.getByLabel('Description').fill('It is wrong, and we know it')
  await form.getByRole('radio', { name: 'red' }).check()
  await form.getByRole('button', { name: 'Add the label' }).click()
  const known = dialog.getByRole('list', { name: 'Labels of this repo' })
  await expect(known.getByText('Known bug')).toBeVisible()
  // A second one by the same name is refused, and the form keeps what was typed.
  await dialog.getByRole('button', { name: 'Add a label' }).click()
  await form.getByLabel('Name').fill('known BUG')
  await form.getByRole('button', { name: 'Add the label' }).click()
  await expect(form.getByText('A label "Known bug" exists.')).toBeVisible()
  await form.getByLabel('Name').fill('docs')
  await form.getByRole('button', { name: 'Add the label' }).click()
  await expect(known.getByText('docs')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto(`${repo.page}/discussions/${num}`)
  const edit = side(page).getByRole('button', { name: 'Edit labels' })
  await edit.focus()
  await page.keyboard.press('Enter')
  const field = side(page).getByRole('combobox', { name: 'Choose labels' })
  await expect(field).toBeFocused()
  const options = side(page).getByRole('option')
  await expect(options).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.type('do')
  await expect(options).toHaveText(['docs'])
  await page.keyboard.press('Enter')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(side(page).getByRole('link', { name: 'Known bug' })).toBeVisible()
  await expect(edit).toBeFocused()
  await expect(page.getByText('added docs Known bug')).toBeVisible()
  const thread = () => person.native<Sorted>('GET', `${repo.api}/discussions/${num}`)
  expect((await thread()).labels).toMatchObject([{ name: 'docs' }, { name: 'Known bug', color: 'red' }])

  await side(page).getByRole('link', { name: 'Known bug' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions?label=Known+bug`)
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('It does not load')
  await expect(page.getByLabel('Label', { exact: true })).toHaveValue('Known bug')
  await page.getByLabel('Label', { exact: true }).selectOption('Any label')
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Label', { exact: true }).selectOption('docs')
  await expect(page).toHaveURL(`${repo.page}/discussions?label=docs`)
  await expect(rows(page)).toHaveCount(1)

  await page.getByRole('button', { name: 'Labels' }).click()
  await known.getByRole('button', { name: 'Edit the label docs' }).click()
  const change = dialog.getByRole('form', { name: 'Label docs' })
  await change.getByLabel('Name').fill('documentation')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(known.getByText('documentation')).toBeVisible()
  await known.getByRole('button', { name: 'Delete the label Known bug' }).click()
  await known.getByRole('button', { name: 'Keep it' }).click()
  await known.getByRole('button', { name: 'Delete the label Known bug' }).click()
  await expect(known.getByText('This takes Known bug off all discussions.')).toBeVisible()
  await known.getByRole('button', { name: 'Delete it' }).click()
  await expect(known.getByText('Known bug')).toHaveCount(0)
  expect((await thread()).labels).toMatchObject([{ name: 'documentation' }])
})

test('a person is assigned, hears of it, and finds what is theirs', async ({
  page,
  context,
  server,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Who looks at this?')
  await givenDiscussion(person, repo, 'Something else')
  await page.goto(`${repo.page}/discussions/${num}`)
  await side(page).getByRole('button', { name: 'Edit assignees' }).click()
  const field = side(page).getByRole('combobox', { name: 'Choose assignees' })
  await field.fill(stranger.username)
  await side(page).getByRole('option', { name: stranger.username }).click()
  await field.fill('')
  await side(page).getByRole('option', { name: person.username }).click()
  await side(page).getByRole('button', { name: 'Save' }).click()
  const assignees = side(page).getByRole('list', { name: 'Assignees' })
  await expect(assignees.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText(/assigned .*themselves/)).toBeVisible()

  await signIn(context, server.url, stranger)
  await page.goto('/settings/notifications')
  const heard = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
  await heard
    .filter({ hasText: `${person.username} assigned you to “Who looks at this?”` })
    .getByRole('link')
    .click()
  await expect(page).toHaveURL(new RegExp(`${repo.page}/discussions/${num}#`))
  await expect(assignees).toContainText(stranger.username)
  // They may not write here.
  await expect(side(page).getByRole('button', { name: 'Edit assignees' })).toHaveCount(0)
  await page.goto(`${repo.page}/discussions`)
  await expect(page.getByRole('link', { name: 'New discussion' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Labels' })).toHaveCount(0)
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Assignee').fill(stranger.username)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/discussions?assignee=${stranger.username}`)
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(`Assigned to`)
})

test('people who cannot read a private repo are not assigned', async ({ page, person, stranger }) => {
  const repo = await givenRepo(person, { visibility: 'private' })
  const num = await givenDiscussion(person, repo, 'A secret')
  await page.goto(`${repo.page}/discussions/${num}`)
  await side(page).getByRole('button', { name: 'Edit assignees' }).click()
  await side(page).getByRole('combobox', { name: 'Choose assignees' }).fill(stranger.username)
  await side(page).getByRole('option', { name: stranger.username }).click()
  await side(page).getByRole('button', { name: 'Save' }).click()
  await expect(
    side(page).getByText(`there is no user "${stranger.username}" who can read this repo`),
  ).toBeVisible()
  await side(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(side(page).getByText('No one yet.')).toBeVisible()
})

test('labels and assignees can be read in both themes and at any width', async ({
  page,
  person,
  stranger,
}) => {
  test.setTimeout(180_000)
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Every colour')
  const labels = await givenLabels(person, repo)
  const wanted = { labels, assignees: [person.username, stranger.username] }
  await person.native('PATCH', `${repo.api}/discussions/${num}`, wanted)
  await person.native('PATCH', `${repo.api}/discussions/${num}`, { labels: labels.slice(2), assignees: [] })
  await person.native('PATCH', `${repo.api}/discussions/${num}`, wanted)
  const thread = `${repo.page}/discussions/${num}`
  const list = `${repo.page}/discussions`
  await lookAt(page, { 'labels-thread': thread, 'labels-list': list }, () =>
    expect(page.getByRole('list', { name: 'Labels' }).first()).toBeVisible(),
  )
  const open = {
    'labels-picker': async () => {
      await page.goto(thread)
      await side(page).getByRole('button', { name: 'Edit labels' }).click()
      await expect(side(page).getByRole('option')).toHaveCount(labels.length)
    },
    'labels-assignees': async () => {
      await page.goto(thread)
      await side(page).getByRole('button', { name: 'Edit assignees' }).click()
      await expect(side(page).getByRole('option')).toHaveCount(2)
    },
    'labels-manager': async () => {
      await page.goto(list)
      await page.getByRole('button', { name: 'Labels' }).click()
      const dialog = page.getByRole('dialog', { name: 'Labels' })
      await dialog.getByRole('button', { name: 'Edit the label bug' }).click()
      await expect(dialog.getByRole('form', { name: 'Label bug' })).toBeVisible()
    },
  }
  for (const [name, show] of Object.entries(open))
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await show()
      await checkWidth(page, name)
      await turn(page, 'light')
      await expectNoFault(page)
      await shoot(page, `${name}-${width}-light`)
      await turn(page, 'dark')
      expect(await colourFaultsOf(page, name)).toEqual([])
      await shoot(page, `${name}-${width}-dark`)
    }
})
