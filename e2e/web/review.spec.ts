import { commitTexts, givenDiscussion, givenPull } from './community.ts'
import { expect, givenRepo, signIn, test, type GivenRepo, type Page, type Person } from './fixtures.ts'
import { lookAt } from './look.ts'

interface Thread {
  events: {
    type: string
    body?: string
    reactions?: { reaction: string; count: number }[]
    place?: { path: string; side: string; start_line?: number; line: number; outdated: boolean }
  }[]
}

interface Lines {
  path: string
  side: 'old' | 'new'
  start_line?: number
  line: number
}

/** Comments on lines of a pull request as it is now. */
async function reviewsOf(by: Person, repo: GivenRepo, num: number) {
  const thread = `${repo.api}/discussions/${num}`
  const { pull_request } = await by.native<{ pull_request: { head_commit: string } }>('GET', thread)
  return (lines: Lines, body: string) =>
    by.native<{ id: string }>('POST', `${thread}/comments`, {
      body,
      place: { ...lines, commit: pull_request.head_commit },
    })
}

const comments = (page: Page) => page.getByRole('article')

test('a person is mentioned with completion, is notified, and follows the references', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person)
  await givenDiscussion(person, repo, 'The first one')
  const num = await givenDiscussion(person, repo, 'Which licence?')
  await page.goto(`${repo.page}/discussions/${num}`)
  const field = page.getByRole('textbox', { name: 'Comment' })
  await field.pressSequentially(`Do you know, @${stranger.username.slice(0, -1)}`)
  const people = page.getByRole('listbox', { name: 'Suggestions' })
  await expect(people.getByRole('option', { name: `@${stranger.username}` })).toBeVisible({ timeout: 60_000 })
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(`Do you know, @${stranger.username} `)
  await field.pressSequentially('as in #')
  await expect(people.getByRole('option')).toHaveCount(2)
  // While the answer to more letters is on its way, what does not fit them is not chosen.
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/discussions\?.*q=f/, (route) => held.then(() => route.continue()))
  await field.pressSequentially('first')
  await expect(people.getByRole('option')).toHaveText([/The first one/])
  await page.keyboard.press('Tab')
  release()
  await expect(field).toHaveValue(`Do you know, @${stranger.username} as in #1 `)
  await page.keyboard.press('Control+Enter')
  await expect(comments(page)).toHaveCount(2)
  const said = comments(page).nth(1)
  await expect(said.getByRole('link', { name: '#1', exact: true })).toHaveAttribute(
    'href',
    `${repo.page}/discussions/1`,
  )

  await signIn(context, server.url, stranger)
  await page.goto('/')
  await page.getByRole('link', { name: /^Notifications, \d+ unread/ }).click()
  const row = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first()
  await expect(row).toContainText('mentioned you in “Which licence?”')
  await expect(row.getByRole('img', { name: 'unread' })).toBeVisible()
  await row.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`${repo.page}/discussions/${num}#`))
  await said.getByRole('link', { name: `@${stranger.username}` }).click()
  await expect(page).toHaveURL(`/${stranger.username}`)
  await page.goto('/settings/notifications')
  await expect(page.getByRole('listitem').first().getByRole('img', { name: 'unread' })).toHaveCount(0)
})

test('reactions are added and taken back', async ({ page, person, stranger, server, context }) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'It works', 'At last.')
  await page.goto(`${repo.page}/discussions/${num}`)
  await page.getByRole('button', { name: 'React to this comment' }).click()
  await page.getByRole('button', { name: 'hooray' }).click()
  await expect(page.getByRole('button', { name: 'hooray, 1', pressed: true })).toBeVisible()
  await signIn(context, server.url, stranger)
  await page.reload()
  await page.getByRole('button', { name: 'hooray, 1', pressed: false }).click()
  await expect(page.getByRole('button', { name: 'hooray, 2', pressed: true })).toBeVisible()
  await page.getByRole('button', { name: 'hooray, 2' }).click()
  await expect(page.getByRole('button', { name: 'hooray, 1', pressed: false })).toBeVisible()
  const { events } = await person.native<Thread>('GET', `${repo.api}/discussions/${num}`)
  expect(events[0]?.reactions).toMatchObject([{ reaction: 'hooray', count: 1 }])
})

test('a line of a diff is commented on, and the comment is outdated once the file changes again', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person, { files: { 'train.py': 'rate = 0.1\nsteps = 100\n', 'b.txt': 'b\n' } })
  const num = await givenPull(stranger, repo, 'Train longer', {
    'train.py': 'rate = 0.1\nsteps = 900\n',
    'b.txt': 'B\n',
  })
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const file = page.getByRole('region', { name: 'train.py' })
  await expect(file.locator('mark')).toHaveText(['100', '900'])
  await expect(page.getByRole('navigation', { name: 'Changed files' }).getByRole('link')).toHaveText([
    /b\.txt/,
    /train\.py/,
  ])
  const start = file.getByRole('button', { name: 'Comment on line 2 of the new file' })
  await start.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Comment on line 2' }).fill('Why so many?')
  await page.keyboard.press('Control+Enter')
  await expect(file.getByRole('article')).toContainText('Why so many?')

  await page.getByText('Side by side', { exact: true }).click()
  await expect(file.getByRole('article')).toContainText('Why so many?')
  await expect(file.locator('table')).toHaveAttribute('data-layout', 'split')
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await expect(file.locator('table')).toHaveCount(0)
  await page.getByRole('button', { name: 'Diff of train.py' }).click()
  await expect(file.locator('table')).toHaveCount(1)
  await page.getByText('Unified', { exact: true }).click()

  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Conversation' })
    .click()
  const said = comments(page).filter({ hasText: 'Why so many?' })
  await expect(said.getByRole('link', { name: 'train.py:2' })).toBeVisible()
  await expect(said).toContainText('steps = 900')
  await expect(said.getByText('outdated')).toHaveCount(0)

  await commitTexts(stranger, repo, `refs/pr/${num}`, { 'train.py': 'rate = 0.1\nsteps = 300\n' })
  await page.reload()
  await expect(said.getByText('outdated')).toBeVisible()
  await page.goto(`${repo.page}/discussions/${num}/files`)
  await expect(file.getByText('1 comment is on an earlier version of this file')).toBeVisible()
  const { events } = await person.native<Thread>('GET', `${repo.api}/discussions/${num}`)
  expect(events.find(({ body }) => body === 'Why so many?')?.place).toMatchObject({
    path: 'train.py',
    side: 'new',
    line: 2,
    outdated: true,
  })
})

test('a comment is about several lines, chosen by Shift, by keys, or by dragging', async ({
  page,
  person,
  stranger,
}) => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('')
  const repo = await givenRepo(person, { files: { 'a.txt': numbers(1, 40) } })
  const num = await givenPull(stranger, repo, 'Change some', {
    'a.txt': `${numbers(1, 4)}five\n${numbers(6, 29)}thirty\n${numbers(31, 40)}`,
  })
  const files = `${repo.page}/discussions/${num}/files`
  await page.goto(files)
  const file = page.getByRole('region', { name: 'a.txt' })
  const start = (line: number, of = 'new') =>
    file.getByRole('button', { name: `Comment on line ${line} of the ${of} file`, exact: true })
  const chosen = file.locator('tr[data-chosen]')
  const field = (lines: string) =>
    page.getByRole('textbox', { name: `Comment on lines ${lines}`, exact: true })

  await start(3).click()
  await page.getByRole('textbox', { name: 'Comment on line 3' }).fill('Why ')
  await start(7).click({ modifiers: ['Shift'] })
  await expect(field('3 to 7')).toBeFocused()
  await expect(field('3 to 7')).toHaveValue('Why ')
  await expect(chosen).toHaveText([/line 3/, /line 4/, /five/, /line 6/, /line 7/])
  // Lines of another hunk begin a choice of their own.
  await start(30).click({ modifiers: ['Shift'] })
  await expect(chosen).toHaveText([/thirty/])
  await start(30).press('Shift+ArrowUp')
  await expect(start(29)).toBeFocused()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(chosen).toHaveText([/line 28/, /line 29/, /thirty/])
  await page.keyboard.press('Enter')
  await expect(field('28 to 30')).toHaveValue('Why ')

  const cellOf = (line: number, column: number) =>
    file
      .locator('tr', { has: page.locator(`button[data-line="${line}"]`) })
      .locator('td')
      .nth(column)
  await cellOf(3, 1).hover()
  await page.mouse.down()
  await cellOf(6, 2).hover()
  await expect(chosen).toHaveCount(4)
  await expect(field('28 to 30')).toBeVisible()
  await page.mouse.up()
  await field('3 to 6').pressSequentially('these?')
  await page.keyboard.press('Control+Enter')
  const said = file.getByRole('article')
  await expect(said).toContainText('Why these?')
  await expect(said).toContainText('Lines 3 to 6')
  await expect(chosen).toHaveCount(0)

  await start(2).click()
  await start(5).click({ modifiers: ['Shift'] })
  await lookAt(page, { 'review-lines': files }, async () => {
    await start(2).click()
    await start(5).click({ modifiers: ['Shift'] })
    await expect(field('2 to 5')).toBeFocused()
  })
  await page.goto(`${repo.page}/discussions/${num}`)
  const inThread = comments(page).filter({ hasText: 'Why these?' })
  await expect(inThread.getByText('Lines 3 to 6')).toBeVisible()
  await expect(inThread.getByRole('row')).toHaveText([/^3 line 3$/, /^4 line 4$/, /^5\+five$/, /^6 line 6$/])
  const { events } = await person.native<Thread>('GET', `${repo.api}/discussions/${num}`)
  expect(events.find(({ place }) => place)?.place).toMatchObject({ side: 'new', start_line: 3, line: 6 })
})

test('a thread on a line is answered, resolved, folded, and reopened', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\ntwo\nthree\n' } })
  const num = await givenPull(person, repo, 'Change two', { 'a.txt': 'one\n2\nthree\n' })
  const ask = await reviewsOf(stranger, repo, num)
  await ask({ path: 'a.txt', side: 'new', line: 2 }, 'Why a digit?')
  await ask({ path: 'a.txt', side: 'new', start_line: 1, line: 3 }, 'And these?')
  const files = `${repo.page}/discussions/${num}/files`
  await page.goto(files)
  const file = page.getByRole('region', { name: 'a.txt' })
  const said = (text: string) => file.getByRole('article').filter({ hasText: text })
  await expect(page.getByText('0 of 2 resolved')).toBeVisible()
  await said('Why a digit?').getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('textbox', { name: 'Comment on line 2' }).fill('It is shorter.')
  await page.keyboard.press('Control+Enter')
  await expect(said('It is shorter.')).toBeVisible()
  await expect(page.getByText('0 of 2 resolved')).toBeVisible()
  await said('It is shorter.').getByRole('button', { name: 'Resolve' }).click()
  await expect(page.getByText('1 of 2 resolved')).toBeVisible()
  await expect(file.getByText('and 1 more on a.txt, line 2: resolved')).toBeVisible()
  await expect(said('Why a digit?')).toHaveCount(0)
  await file.getByRole('button', { name: 'Show resolved' }).click()
  await expect(said('Why a digit?')).toBeVisible()
  await expect(said('It is shorter.').getByRole('button', { name: 'Answer' })).toHaveCount(0)
  await lookAt(page, { 'thread-files': files, thread: `${repo.page}/discussions/${num}` })

  // The one who asked may as well.
  await signIn(context, server.url, stranger)
  await page.goto(`${repo.page}/discussions/${num}`)
  await page.getByRole('link', { name: 'a comment on the changes' }).click()
  const first = comments(page).filter({ hasText: 'Why a digit?' })
  await expect(first).toBeVisible()
  await first.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('reopened a comment on the changes')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show resolved' })).toHaveCount(0)
  const { events } = await person.native<Thread>('GET', `${repo.api}/discussions/${num}`)
  expect(events.filter(({ type }) => type === 'thread_change')).toMatchObject([
    { from: 'open', to: 'resolved' },
    { from: 'resolved', to: 'open' },
  ])
})

test('a suggestion is written from the lines as they are, shown as a change, and committed by a press', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { files: { 'a.py': 'a = 1\r\nb = 2\r\nc = 3' } })
  const num = await givenPull(stranger, repo, 'Change b', { 'a.py': 'a = 1\r\nb = 22\r\nc = 3' })
  const files = `${repo.page}/discussions/${num}/files`
  await page.goto(files)
  const file = page.getByRole('region', { name: 'a.py' })
  const start = (line: number) =>
    file.getByRole('button', { name: `Comment on line ${line} of the new file` })
  await start(2).click()
  await start(3).click({ modifiers: ['Shift'] })
  const field = page.getByRole('textbox', { name: 'Comment on lines 2 to 3' })
  await field.fill('Shorter:')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await expect(field).toHaveValue('Shorter:\n\n```suggestion\nb = 22\nc = 3\n```\n')
  await field.fill('Shorter:\n\n```suggestion\nb, c = 20, 3\n```\n')
  await page.keyboard.press('Control+Enter')
  const change = page.getByRole('group', { name: 'Suggested change' })
  await expect(change.locator('tr[data-kind="delete"]')).toHaveText([/b = 22/, /c = 3/])
  await expect(change.locator('tr[data-kind="add"]')).toHaveText([/b, c = 20, 3/])
  await lookAt(
    page,
    { 'suggestion-files': files, suggestion: `${repo.page}/discussions/${num}` },
    async () => {
      await change.getByRole('button', { name: 'Commit suggestion…' }).click()
      await expect(change.getByLabel('Commit title')).toHaveValue('Apply a suggestion to a.py')
    },
  )

  // Another commit comes meanwhile, to another file: the page says what to do, and the suggestion still fits.
  await signIn(context, server.url, stranger)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(files)
  await change.getByRole('button', { name: 'Commit suggestion…' }).click()
  await commitTexts(stranger, repo, `refs/pr/${num}`, { 'b.py': 'b\n' })
  await change.getByLabel('Commit title').fill('Take the short one')
  await change.getByRole('button', { name: 'Commit', exact: true }).click()
  await expect(change.getByRole('alert')).toContainText('has new commits')
  await change.getByRole('button', { name: 'Load them' }).click()
  await expect(page.getByRole('region', { name: 'b.py' })).toBeVisible()
  await change.getByRole('button', { name: 'Commit suggestion…' }).click()
  await change.getByLabel('Commit title').fill('Take the short one')
  await change.getByRole('button', { name: 'Commit', exact: true }).click()
  await expect(page.getByText('1 of 1 resolved')).toBeVisible()
  await expect(page.getByText('1 comment is on an earlier version of this file')).toBeVisible()
  const raw = await fetch(`${server.url}${repo.page}/resolve/refs%2Fpr%2F${num}/a.py`)
  expect(await raw.text()).toBe('a = 1\r\nb, c = 20, 3')
  await page.goto(`${repo.page}/discussions/${num}`)
  await page.getByRole('link', { name: 'Take the short one' }).click()
  await expect(page.getByText(`Co-authored-by: ${person.username}`)).toBeVisible()
})

test('commits of others wait until they are asked for, and a comment that is being written stays', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'a.py': 'a = 1\n' } })
  const num = await givenPull(person, repo, 'Count on', { 'a.py': 'a = 2\n' })
  const review = await reviewsOf(person, repo, num)
  await review({ path: 'a.py', side: 'new', line: 1 }, 'Why two?')
  const files = `${repo.page}/discussions/${num}/files`
  await page.goto(files)
  const file = page.getByRole('region', { name: 'a.py' })
  await file.getByRole('button', { name: 'Comment on line 1 of the new file' }).click()
  const field = page.getByRole('textbox', { name: 'Comment on line 1' })
  await field.fill('Half a thought')
  await commitTexts(person, repo, `refs/pr/${num}`, { 'a.py': 'a = 3\n' })
  await file.getByRole('button', { name: 'Resolve' }).click()
  const news = page.getByRole('status').filter({ hasText: 'has new commits' })
  await expect(news).toBeVisible()
  await expect(field).toHaveValue('Half a thought')
  await expect(file.locator('tr[data-kind="add"]')).toHaveText([/a = 2/])
  // What one has not read is not merged.
  await expect(page.getByRole('button', { name: /^Merge/ })).toHaveCount(0)
  await news.getByRole('button', { name: 'Load them' }).click()
  await expect(file.locator('tr[data-kind="add"]')).toHaveText([/a = 3/])
  await expect(news).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Merge/ })).toBeVisible()
  const raw = await fetch(`${server.url}${repo.page}/resolve/refs%2Fpr%2F${num}/a.py`)
  expect(await raw.text()).toBe('a = 3\n')
})
