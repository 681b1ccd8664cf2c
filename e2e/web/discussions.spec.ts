import { randomBytes } from 'node:crypto'
import { commitTexts, givenDiscussion, givenPull } from './community.ts'
import { expect, givenRepo, pressTwice, signIn, test, type Page } from './fixtures.ts'

interface Thread {
  status: string
  title: string
  pull_request?: { merged_at?: string; merge_commit?: string; ref: string; mergeable: string }
  events: { type: string; body?: string; hidden?: boolean; edits?: number }[]
}

const comments = (page: Page) => page.getByRole('article')
const rawOf = async (url: string) => (await fetch(url)).text()

test('a discussion is opened, answered, edited, retitled, closed and opened again', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  await page.goto(repo.page)
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Community' })
    .click()
  await expect(page.getByRole('heading', { name: 'Nothing is open' })).toBeVisible()
  await page.getByRole('link', { name: 'New discussion' }).click()
  await page.getByLabel('Title').fill('Does it load?')
  await page.getByRole('textbox', { name: 'Description' }).fill('Load it **twice**.')
  await page.getByText('Preview', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Preview' }).getByText('twice')).toHaveCSS(
    'font-weight',
    /[67]00/,
  )
  await pressTwice(page.getByRole('button', { name: 'Open the discussion' }))
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)

  await page.getByRole('textbox', { name: 'Comment' }).fill('It dose.')
  await page.keyboard.press('Control+Enter')
  await expect(comments(page)).toHaveCount(2)
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('')
  await expect(page.getByRole('textbox', { name: 'Comment' })).toBeFocused()
  await comments(page).nth(1).getByRole('button', { name: 'Edit this comment' }).click()
  await page.getByRole('textbox', { name: 'Edit the comment' }).fill('It does.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(comments(page).nth(1)).toContainText('edited')
  await expect(comments(page).nth(1)).toContainText('It does.')

  await page.getByRole('button', { name: 'Retitle' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('It loads')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'It loads #1' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Comment' }).fill('So that is that.')
  await page.getByRole('button', { name: 'Close with this comment' }).click()
  await expect(page.getByText('closed this')).toBeVisible()
  await page.getByRole('button', { name: 'Reopen the discussion' }).click()
  await expect(page.getByText('reopened this')).toBeVisible()

  await expect(person.native('GET', `${repo.api}/discussions/2`)).rejects.toThrow(/404/)
  const thread = await person.native<Thread>('GET', `${repo.api}/discussions/1`)
  expect(thread).toMatchObject({ status: 'open', title: 'It loads' })
  expect(thread.events).toMatchObject([
    { type: 'comment', body: 'Load it **twice**.' },
    { type: 'comment', body: 'It does.', edits: 1 },
    { type: 'title_change', from: 'Does it load?', to: 'It loads' },
    { type: 'comment', body: 'So that is that.' },
    { type: 'status_change', to: 'closed' },
    { type: 'status_change', to: 'open' },
  ])
})

test('an admin hides a comment for good, after being asked', async ({ page, person, stranger }) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(stranger, repo, 'Buy this', 'Cheap things.')
  await page.goto(`${repo.page}/discussions/${num}`)
  const hide = page.getByRole('button', { name: 'Hide this comment' })
  await hide.click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByText('Cheap things.')).toBeVisible()
  await hide.click()
  await page.getByRole('button', { name: 'Hide for good' }).click()
  await expect(page.getByText('This comment was hidden.')).toBeVisible()
  await expect(hide).toHaveCount(0)
  const { events } = await person.native<Thread>('GET', `${repo.api}/discussions/${num}`)
  expect(events).toMatchObject([{ hidden: true, body: '' }])
})

test('a pull request is opened by a commit, read, runs into a conflict, is resolved by another commit and merged', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\ntwo\nthree\n', 'kept.txt': 'kept\n' } })
  await signIn(context, server.url, stranger)
  await page.goto(`${repo.page}/blob/main/notes.txt`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByText('You may not commit to main yourself')).toBeVisible()
  await page.getByLabel('Text').fill('one\n2\nthree\n')
  await page.getByLabel('Commit title').fill('Count further')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  const num = 1
  await expect(page).toHaveURL(`${repo.page}/discussions/${num}`)
  await commitTexts(stranger, repo, `refs/pr/${num}`, { 'more/four.txt': 'four\n' })

  await signIn(context, server.url, person)
  await page.goto(`${repo.page}/discussions`)
  await page.getByRole('link', { name: 'Count further' }).click()
  await expect(page.getByText('Can be merged into main')).toBeVisible()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Let me see.')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(comments(page)).toHaveCount(2)

  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Commits 2' })
    .click()
  await expect(
    page.getByRole('list', { name: 'Commits' }).getByRole('link', { name: 'Count further' }),
  ).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Files changed' })
    .click()
  await expect(page).toHaveURL(`${repo.page}/discussions/${num}/files`)
  await expect(page.getByText('2 files changed')).toBeVisible()
  const notes = page.getByRole('region', { name: 'notes.txt' })
  await expect(notes.getByRole('row', { name: /- two/ })).toBeVisible()
  await expect(notes.getByRole('row', { name: /\+ 2/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'more/four.txt' }).getByText('added')).toBeVisible()

  await commitTexts(person, repo, 'main', { 'notes.txt': 'one\nTWO\nthree\n' })
  await page.goto(`${repo.page}/discussions/${num}`)
  await expect(page.getByText('Conflicts with main')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Files in conflict' }).getByRole('listitem')).toContainText([
    'notes.txt',
  ])
  await expect(page.getByRole('button', { name: 'Merge…' })).toHaveCount(0)

  await signIn(context, server.url, stranger)
  await page.goto(`${repo.page}/discussions/${num}`)
  await expect(page.getByRole('link', { name: 'notes.txt on main' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit notes.txt' }).click()
  await expect(page.getByLabel('Text')).toContainText('three')
  await page.getByLabel('Text').fill('one\nTWO\nthree\n')
  await page.getByRole('button', { name: `Commit to refs/pr/${num}` }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/${num}`)
  await expect(page.getByText('Can be merged into main')).toBeVisible()
  await expect(page.getByText('Somebody who may write to this repo can merge it.')).toBeVisible()

  await signIn(context, server.url, person)
  await page.goto(`${repo.page}/discussions/${num}`)
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByLabel('Commit title').fill('Count to four')
  await page.getByRole('region', { name: 'Merging' }).getByLabel('Comment').fill('Thank you.')
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await expect(page.getByRole('heading', { name: 'Merged into main', exact: true })).toBeVisible()
  await expect(page.getByText('Thank you.')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Files changed' })
    .click()
  await expect(
    page.getByRole('region', { name: 'more/four.txt' }).getByRole('row', { name: /four/ }),
  ).toBeVisible()

  const { pull_request, ...thread } = await person.native<Thread>('GET', `${repo.api}/discussions/${num}`)
  expect(thread.status).toBe('closed')
  const tree = await person.native<{ commit: string }>('GET', `${repo.api}/tree/main`)
  expect(pull_request?.merge_commit).toBe(tree.commit)
  expect(await rawOf(`${server.url}${repo.page}/resolve/main/more/four.txt`)).toBe('four\n')
  expect(await rawOf(`${server.url}${repo.page}/resolve/main/notes.txt`)).toBe('one\nTWO\nthree\n')
  expect(await rawOf(`${server.url}${repo.page}/resolve/refs%2Fpr%2F${num}/more/four.txt`)).toBe('four\n')
})

test('a reader proposes what a writer may commit: a file, a large upload', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# Mine\n' } })
  await signIn(context, server.url, stranger)
  await page.goto(`${repo.page}/tree/main`)
  await page.getByRole('link', { name: 'Propose files' }).click()
  await expect(page.getByText('--create-pr')).toBeVisible()
  const large = randomBytes(12_000_000)
  const input = page.locator('input[type=file]').first()
  await input.setInputFiles({ name: 'weights.bin', mimeType: 'application/octet-stream', buffer: large })
  await expect(page.getByText('You may not commit to main yourself')).toBeVisible()
  await page.getByLabel('Commit title').fill('Add weights')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`, { timeout: 60_000 })
  await expect(page.getByText('Can be merged into main')).toBeVisible()
  const held = await fetch(`${server.url}${repo.page}/resolve/refs%2Fpr%2F1/weights.bin`)
  expect(Buffer.from(await held.arrayBuffer()).equals(large)).toBe(true)

  await page.goto(`${repo.page}/new/main`)
  await page.getByLabel('File name').fill('idea.txt')
  await page.getByLabel('Text').fill('An idea\n')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/2`)
  await page.getByRole('link', { name: 'refs/pr/2' }).click()
  await page.getByRole('link', { name: 'Pull request #2' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/2`)
  expect((await fetch(`${server.url}${repo.page}/resolve/main/idea.txt`)).status).toBe(404)
})

test('a writer chooses to delete a file by a pull request', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'old.txt': 'old\n' } })
  await page.goto(`${repo.page}/blob/main/old.txt`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('radio', { name: 'As a pull request, to be looked at and merged' }).check()
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)
  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Files changed' })
    .click()
  await expect(page.getByRole('region', { name: 'old.txt' }).getByText('deleted')).toBeVisible()
})

test('the list is counted, and narrowed by status, words, kind and author, which the address keeps', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  const closed = await givenDiscussion(stranger, repo, 'Settled')
  await person.native('PATCH', `${repo.api}/discussions/${closed}`, { status: 'closed' })
  await givenPull(stranger, repo, 'A change', { 'a.txt': 'b\n' })
  for (let i = 1; i <= 31; i++) await givenDiscussion(person, repo, `Question ${i}`)
  const rows = page.getByRole('list', { name: 'Discussions and pull requests' }).getByRole('listitem')
  await page.goto(`${repo.page}/discussions`)
  await expect(rows).toHaveCount(30)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(32)
  const status = page.getByRole('radiogroup', { name: 'Status' })
  await expect(status).toContainText(/Open 32.*Closed 1/)
  await page.getByLabel('Find discussions').pressSequentially('CHANGE a', { delay: 300 })
  await expect(rows).toContainText(['A change'])
  await expect(status).toContainText(/Open 1.*Closed 0/)
  await page.getByLabel('Find discussions').fill('')
  await page.getByLabel('Kind').selectOption('pull_request')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(['A change'])
  await status.getByText('Closed').click()
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByLabel('Kind').selectOption('')
  await page.getByLabel('Author').fill(stranger.username)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/discussions?status=closed&author=${stranger.username}`)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(rows.getByRole('img', { name: 'closed discussion' })).toBeVisible()
})

test('users see no actions that they may not do', async ({
  page,
  person,
  stranger,
  server,
  context,
  browser,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  const num = await givenPull(person, repo, 'Mine', { 'a.txt': 'b\n' })
  const address = `${repo.page}/discussions/${num}`
  const refused = ['Retitle', 'Merge…', 'Close the pull request', 'Edit this comment', 'Hide this comment']
  const anonymous = await (await browser.newContext({ baseURL: server.url })).newPage()
  await anonymous.goto(address)
  await expect(anonymous.getByText('to take part in the discussion')).toBeVisible()
  await expect(anonymous.getByRole('textbox', { name: 'Comment' })).toHaveCount(0)
  await signIn(context, server.url, stranger)
  await page.goto(address)
  await expect(page.getByRole('textbox', { name: 'Comment' })).toBeVisible()
  for (const viewer of [anonymous, page])
    for (const name of refused) await expect(viewer.getByRole('button', { name })).toHaveCount(0)
  await anonymous.goto(`${repo.page}/discussions/new`)
  await expect(anonymous.getByRole('heading', { name: 'Sign in to see this' })).toBeVisible()
  await anonymous.context().close()

  await person.native('PATCH', repo.api, { discussions_enabled: false })
  for (const below of ['', '/new', `/${num}`]) {
    await page.goto(`${repo.page}/discussions${below}`)
    await expect(page.getByRole('heading', { name: 'Discussions are disabled for this repo' })).toBeVisible()
  }
  await page.goto(repo.page)
  await expect(
    page.getByRole('navigation', { name: 'Repo', exact: true }).getByRole('link', { name: 'Files' }),
  ).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Repo', exact: true }).getByRole('link', { name: 'Community' }),
  ).toHaveCount(0)
})

test('a pull request that somebody else has changed meanwhile is not merged unseen', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  const num = await givenPull(person, repo, 'Change a', { 'a.txt': 'b\n' })
  await page.goto(`${repo.page}/discussions/${num}`)
  await page.getByRole('button', { name: 'Merge…' }).click()
  await commitTexts(person, repo, 'main', { 'a.txt': 'c\n' })
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await expect(page.getByText('Conflicts with main')).toBeVisible()
  expect(await person.native('GET', `${repo.api}/discussions/${num}`)).toMatchObject({ status: 'open' })
})

test('the address that hub clients print for a pull request shows it', async ({ page, person, server }) => {
  const secret = await (person as unknown as { token: () => Promise<string> }).token()
  for (const type of ['model', 'dataset'] as const) {
    const repo = await givenRepo(person, { type, files: { 'a.txt': 'a\n' } })
    const lines = [
      { key: 'header', value: { summary: `From a client of ${type}s`, description: 'Look.' } },
      { key: 'file', value: { path: 'b.txt', content: 'Yg==', encoding: 'base64' } },
    ]
    const answer = await fetch(`${server.url}/api/${type}s/${repo.ns}/${repo.name}/commit/main?create_pr=1`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    const { pullRequestUrl } = (await answer.json()) as { pullRequestUrl: string }
    expect(pullRequestUrl).toBe(`${server.url}${repo.page}/discussions/1`)
    await page.goto(pullRequestUrl)
    await expect(page.getByRole('heading', { name: `From a client of ${type}s #1` })).toBeVisible()
    await expect(comments(page)).toContainText(['Look.'])
  }
})

test('the middle of a long thread is shown when it is asked for, or an address leads there', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Long', 'The beginning')
  const made: { id: string }[] = []
  for (let i = 1; i <= 150; i++)
    made.push(await person.native('POST', `${repo.api}/discussions/${num}/comments`, { body: `Word ${i}` }))
  await page.goto(`${repo.page}/discussions/${num}`)
  await expect(comments(page)).toHaveCount(101)
  await expect(page.getByText('The beginning')).toBeVisible()
  await expect(page.getByText('Word 150', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show 50 of 50 entries between' }).click()
  await expect(comments(page)).toHaveCount(151)
  await page.goto('about:blank')
  await page.goto(`${repo.page}/discussions/${num}#${made[9]?.id}`)
  await expect(page.getByText('Word 10', { exact: true })).toBeInViewport()
})
