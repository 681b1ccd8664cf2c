import { commitTexts, givenPull } from './community.ts'
import { expect, givenRepo, signIn, test, type Page } from './fixtures.ts'
import { lookAt } from './look.ts'

interface Thread {
  events: { type: string; id: string; verdict?: string; review?: string; body?: string }[]
  reviewers: { user: { username: string }; state: string; is_outdated: boolean; counts: boolean }[]
}

const fileOf = (page: Page) => page.getByRole('region', { name: 'a.txt' })
const pending = (page: Page) => fileOf(page).getByRole('article', { name: /^Pending comment/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Finish the review' })

/** Begins a comment on a line of the file. */
async function write(page: Page, line: number, text: string) {
  await fileOf(page)
    .getByRole('button', { name: `Comment on line ${line} of the new file`, exact: true })
    .click()
  await page.getByRole('textbox', { name: `Comment on line ${line}`, exact: true }).fill(text)
}

test('a review is asked for, written in pieces, sent at once, outdated by a commit, and followed by an approval', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\ntwo\nthree\n' } })
  const num = await givenPull(stranger, repo, 'Write digits', { 'a.txt': '1\n2\n3\n' })
  const thread = `${repo.api}/discussions/${num}`
  const conversation = `${repo.page}/discussions/${num}`
  const files = `${conversation}/files`

  await signIn(context, server.url, stranger)
  await page.goto(conversation)
  const side = page.getByRole('region', { name: 'About this thread' })
  await expect(side.getByText('No reviews yet.')).toBeVisible()
  await side.getByRole('button', { name: 'Ask for a review' }).click()
  const whose = page.getByRole('combobox', { name: 'Whose review?' })
  await expect(whose).toBeFocused()
  await whose.fill('no-such-person')
  await page.keyboard.press('Enter')
  await expect(side.getByText('There is no user "no-such-person" who can read this repo.')).toBeVisible()
  await whose.fill(person.username.slice(0, -1))
  await page.getByRole('option', { name: person.username }).click()
  await side.getByRole('button', { name: 'Ask', exact: true }).click()
  const reviewer = side.getByRole('list', { name: 'Reviewers' }).getByRole('listitem')
  await expect(reviewer).toHaveText(new RegExp(`${person.username}.*is asked`))
  await expect(page.getByText(`asked ${person.username} for a review`)).toBeVisible()

  await signIn(context, server.url, person)
  await page.goto('/settings/notifications')
  await expect(page.getByText(`${stranger.username} asked for your review of “Write digits”`)).toBeVisible()
  await lookAt(page, { 'review-home': '/', 'review-notified': '/settings/notifications' })
  await page.goto('/')
  await page
    .getByRole('region', { name: 'Waiting for your review' })
    .getByRole('link', { name: /^Write digits/ })
    .click()
  await expect(page).toHaveURL(files)

  await write(page, 1, 'Why a digit?')
  await page.getByRole('button', { name: 'Start a review' }).click()
  await expect(pending(page)).toContainText('Why a digit?')
  await expect(pending(page).getByText('pending', { exact: true })).toBeVisible()
  await write(page, 2, 'Adn here?')
  await page.getByRole('button', { name: 'Add to the review' }).click()
  await write(page, 3, 'And there?')
  await page.getByRole('button', { name: 'Add to the review' }).click()
  await expect(page.getByRole('button', { name: 'Finish review (3)' })).toBeVisible()
  await pending(page).nth(1).getByRole('button', { name: 'Edit this pending comment' }).click()
  await page.getByRole('textbox', { name: 'Edit the pending comment' }).fill('And here?')
  await page.getByRole('button', { name: 'Save' }).click()
  await pending(page).nth(2).getByRole('button', { name: 'Delete this pending comment' }).click()
  // Nothing was sent, and the browser keeps it.
  expect((await person.native<Thread>('GET', thread)).events.map(({ type }) => type)).not.toContain('review')
  await page.reload()
  await expect(pending(page)).toHaveText([/Why a digit\?/, /And here\?/])

  await lookAt(page, { 'review-pending': files }, async () => {
    await expect(pending(page)).toHaveCount(2)
  })
  await lookAt(page, { 'review-finish': files }, async () => {
    await page.getByRole('button', { name: 'Finish review (2)' }).click()
    await expect(panel(page).getByText('2 comments on the changes are sent with it.')).toBeVisible()
  })
  const summary = panel(page).getByRole('textbox', { name: 'What do you say of it as a whole?' })
  await summary.fill('Words are easier to read.')
  await panel(page).getByRole('radio', { name: 'Request changes' }).check()

  // Others commit meanwhile: all that was written stays.
  await commitTexts(stranger, repo, `refs/pr/${num}`, { 'a.txt': '1\n2\nthree\n' })
  await panel(page).getByRole('button', { name: 'Send the review' }).click()
  await expect(panel(page).getByRole('alert')).toContainText('The pull request has new commits')
  await expect(summary).toHaveValue('Words are easier to read.')
  await panel(page).getByRole('button', { name: 'Later' }).click()
  await page.getByRole('button', { name: 'Load them' }).click()
  await expect(pending(page)).toHaveCount(0)
  const finish = async () => {
    await page.getByRole('button', { name: 'Finish review (2)' }).click()
    await expect(panel(page).getByText('new commits since you wrote these comments')).toBeVisible()
  }
  await lookAt(page, { 'review-earlier': files }, finish)
  await expect(panel(page).getByRole('button', { name: 'Send the review' })).toBeDisabled()
  await panel(page).getByRole('button', { name: 'Keep on line 1' }).click()
  await panel(page).getByRole('button', { name: 'Keep on line 2' }).click()
  await panel(page).getByRole('radio', { name: 'Request changes' }).check()
  await panel(page).getByRole('button', { name: 'Send the review' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Review', exact: true })).toBeVisible()
  await expect(fileOf(page).getByRole('article')).toHaveText([/Why a digit\?/, /And here\?/])
  const { events, reviewers } = await person.native<Thread>('GET', thread)
  const review = events.find(({ type }) => type === 'review')
  expect(review?.verdict).toBe('request_changes')
  expect(events.filter((each) => each.review === review?.id).map(({ body }) => body)).toEqual([
    'Words are easier to read.',
    'Why a digit?',
    'And here?',
  ])
  expect(reviewers).toMatchObject([{ state: 'changes_requested', is_outdated: false, counts: true }])

  await signIn(context, server.url, stranger)
  await page.goto(conversation)
  await expect(page.getByText('requested changes', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Merging' })).toContainText(
    `Changes requested by ${person.username}.`,
  )
  await expect(reviewer).toContainText('requests changes')
  await lookAt(page, { 'review-thread': conversation })
  await page.goto(`${repo.page}/discussions`)
  await expect(page.getByText('changes requested', { exact: true })).toBeVisible()
  // Their author can only comment.
  await page.goto(files)
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await expect(panel(page).getByText('You opened this pull request, so you can only comment.')).toBeVisible()
  await expect(panel(page).getByRole('radio', { name: 'Approve' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await commitTexts(stranger, repo, `refs/pr/${num}`, { 'a.txt': 'one\ntwo\nthree!\n' })
  await page.goto(conversation)
  await expect(reviewer.getByText('outdated')).toBeVisible()
  await side.getByRole('button', { name: `Ask ${person.username} for another review` }).click()
  await expect(reviewer).toContainText('is asked')

  await signIn(context, server.url, person)
  await page.goto(files)
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await panel(page).getByRole('radio', { name: 'Approve' }).check()
  await panel(page).getByRole('button', { name: 'Send the review' }).click()
  await expect(page.getByRole('region', { name: 'Merging' })).toContainText(`Approved by ${person.username}.`)
  await page.getByRole('link', { name: 'Arsenal, home' }).click()
  await expect(page.getByRole('region', { name: 'Storage' })).toBeVisible()
  // What other tests ask of the same person may still wait there.
  await expect(page.getByRole('link', { name: /^Write digits/ })).toHaveCount(0)
  await page.goto(`${repo.page}/discussions`)
  await expect(page.getByText('approved', { exact: true })).toBeVisible()
  await lookAt(page, { 'review-list': `${repo.page}/discussions`, 'review-approved': conversation })
  await page.goto(conversation)
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await expect(page.getByText('Merged into main').first()).toBeVisible()
  expect((await person.native<Thread>('GET', thread)).reviewers).toMatchObject([
    { state: 'approved', is_outdated: false },
  ])
})
