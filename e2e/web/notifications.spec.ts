import { givenDiscussion } from './community.ts'
import { expect, givenRepo, test } from './fixtures.ts'
import { expectNoFault, lookAt, shoot, shootAll } from './look.ts'

test('people hear of answers until they mute the thread', async ({ page, person, stranger }) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Which tokenizer?')
  const thread = `${repo.api}/discussions/${num}`
  await stranger.native('POST', `${thread}/comments`, { body: 'The usual one.' })
  await page.goto('/settings/notifications')
  const heard = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
  const answers = heard.filter({ hasText: `${stranger.username} commented on “Which tokenizer?”` })
  await answers.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`${repo.page}/discussions/${num}#`))
  const mute = page.getByRole('button', { name: 'Mute this thread' })
  await mute.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Muted: you are notified of comments that mention you.')).toBeVisible()
  await lookAt(page, { muted: `${repo.page}/discussions/${num}` }, () =>
    expect(page.getByRole('button', { name: 'Unmute this thread' })).toBeVisible(),
  )
  await stranger.native('POST', `${thread}/comments`, { body: 'Or another.' })
  await page.goto('/settings/notifications')
  await expect(answers).toHaveCount(1)
  await page.goto(`${repo.page}/discussions/${num}`)
  // The button turns at once; what is written next is heard of only once the server knows.
  const unmuted = page.waitForResponse((answer) => answer.request().method() !== 'GET')
  await page.getByRole('button', { name: 'Unmute this thread' }).click()
  await expect(mute).toBeVisible()
  await unmuted
  await stranger.native('POST', `${thread}/comments`, { body: 'A last word.' })
  await page.goto('/settings/notifications')
  await expect(answers).toHaveCount(2)
})

test('notifications are narrowed to the unread and to mentions, and several are read at once', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Which seed?')
  const thread = `${repo.api}/discussions/${num}`
  for (const body of ['One.', 'Two.', `Three, @${person.username}.`])
    await stranger.native('POST', `${thread}/comments`, { body })
  await page.goto('/settings/notifications')
  const list = page.getByRole('list', { name: 'Notifications' })
  const rows = list.getByRole('listitem').filter({ hasText: 'Which seed?' })
  await expect(rows).toHaveCount(3)
  await lookAt(page, { notifications: '/settings/notifications' }, () => expect(rows).toHaveCount(3))
  await rows.nth(1).getByRole('checkbox').check()
  await rows.nth(2).getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Mark 2 as read' }).click()
  await expect(rows.getByRole('img', { name: 'unread' })).toHaveCount(1)
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked()
  await page.getByText('Unread', { exact: true }).click()
  await expect(page).toHaveURL('/settings/notifications?show=unread')
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByText('Nothing is unread')).toBeVisible()
  await page.getByText('Mentions', { exact: true }).click()
  await expect(rows).toContainText(['mentioned you in “Which seed?”'])
  await page.reload()
  await expect(rows).toHaveCount(1)
})

test('several notifications are put away, and come back at once or when their time has come', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Which split?')
  for (const body of ['One.', 'Two.', 'Three.'])
    await stranger.native('POST', `${repo.api}/discussions/${num}/comments`, { body })
  await page.goto('/settings/notifications')
  const list = page.getByRole('list', { name: 'Notifications' })
  const rows = list.getByRole('listitem').filter({ hasText: 'Which split?' })
  await expect(rows).toHaveCount(3)
  const bell = page.getByRole('link', { name: /^Notifications, / })
  await expect(bell).toHaveAccessibleName('Notifications, 3 unread')
  await expect(page.getByRole('button', { name: 'Snooze' })).toBeDisabled()
  await rows.nth(0).getByRole('checkbox').check()
  await rows.nth(1).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Snooze 2' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'In an hour' })).toBeVisible()
  await shoot(page, 'snooze-menu')
  await page.getByRole('menuitem', { name: 'Tomorrow' }).click()
  await expect(rows).toContainText(['One.'])
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread')

  await page.getByText('Snoozed', { exact: true }).click()
  await expect(page).toHaveURL('/settings/notifications?show=snoozed')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(/back (in \d+ hours|tomorrow)/)
  await lookAt(page, { snoozed: '/settings/notifications?show=snoozed' }, () => expect(rows).toHaveCount(2))
  await rows.nth(1).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Bring 1 back' }).click()
  await expect(rows).toHaveCount(1)
  await expect(bell).toHaveAccessibleName('Notifications, 2 unread')

  const soon = Date.now() + 2000
  const [id] = await list
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('#')[1]))
  await person.native('POST', '/me/notifications/snooze', { ids: [id], until: new Date(soon).toISOString() })
  const snoozed = () => person.native<{ items: unknown[] }>('GET', '/me/notifications?snoozed=true')
  await expect.poll(async () => (await snoozed()).items).toEqual([])
  await page.reload()
  await expect(page.getByText('Nothing is snoozed')).toBeVisible()
  await page.getByText('All', { exact: true }).click()
  await expect(rows).toContainText([/back .*/, /back .*/, 'One.'])
  await expect(rows.getByRole('img', { name: 'unread' })).toHaveCount(3)
})

test('an open list tells of what has come since, and shows it when asked', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Which licence?')
  const comment = (body: string) =>
    stranger.native('POST', `${repo.api}/discussions/${num}/comments`, { body })
  await comment('One.')
  await page.clock.install()
  await page.goto('/settings/notifications')
  const list = page.getByRole('list', { name: 'Notifications' })
  const rows = list.getByRole('listitem').filter({ hasText: 'Which licence?' })
  await expect(rows).toHaveCount(1)
  await comment('Two.')
  await comment('Three.')
  const more = page.getByRole('button', { name: 'Show 2 new' })
  await expect(more).toBeHidden()
  await page.clock.fastForward(60_000)
  await expect(more).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expectNoFault(page)
  await shootAll(page, 'new-notifications')
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(3)
  await expect(list).toBeFocused()
  await expect(more).toBeHidden()
})
