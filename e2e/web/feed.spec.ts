import { commitTexts, givenDiscussion, givenPull } from './community.ts'
import { expect, fresh, givenRepo, test, type Person } from './fixtures.ts'
import { lookAt } from './look.ts'

test('a repo is watched by keyboard, news of it come, and it is watched no more', async ({
  page,
  newcomer,
  stranger,
}) => {
  const repo = await givenRepo(stranger, { files: { 'README.md': '# Model\n' } })
  await page.goto(repo.page)
  await page.getByRole('button', { name: 'Watch', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: /^News of / })
  await expect(dialog.getByRole('radio', { name: 'Default' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'New discussions' }).check()
  await expect.poll(() => newcomer.native('GET', `${repo.api}/watch`)).toEqual({ level: 'discussions' })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Watch', exact: true })).toBeFocused()

  const title = fresh('Which licence')
  await stranger.native('POST', `${repo.api}/discussions`, { kind: 'discussion', title, body: 'Is it free?' })
  await page.goto('/settings/notifications')
  await expect(page.getByRole('link', { name: `${stranger.username} wrote in “${title}”` })).toBeVisible()
  const watched = page.getByRole('region', { name: 'Watched repos' })
  await expect(watched.getByText('New discussions and pull requests')).toBeVisible()
  await lookAt(page, { watched: '/settings/notifications', repo: repo.page })
  await page.goto('/settings/notifications')
  await watched.getByRole('button', { name: /^Stop watching/ }).click()
  await expect(watched.getByText('You watch no repo.')).toBeVisible()
  expect(await newcomer.native('GET', `${repo.api}/watch`)).toEqual({})
})

test('a visitor is led to sign in where they would watch', async ({ page, stranger }) => {
  const repo = await givenRepo(stranger)
  await page.goto(repo.page)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/login\?/)
})

test('the feed has what followed people did, by days, with more to load', async ({
  page,
  newcomer,
  owner,
  server,
}) => {
  // Of whom no other test has made anything.
  const stranger = (await server.newPerson('busy')) as Person
  const repo = await givenRepo(stranger)
  // So that it is among the first of those that are used most.
  for (const person of [newcomer, owner]) await person.native('POST', `${repo.api}/like`)
  expect(await newcomer.native('GET', '/feed')).toEqual({ items: [], next_cursor: '' })
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Home' }).getByRole('link', { name: 'Feed' }).press('Enter')
  await expect(page).toHaveURL('/?show=feed')
  await expect(page.getByRole('heading', { name: 'Nothing new' })).toBeVisible()
  const suggested = page.getByRole('navigation', { name: 'People and organisations to follow' })
  await suggested.getByRole('link', { name: stranger.username, exact: true }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Unfollow' })).toBeVisible()

  const text = (n: number) => [{ op: 'add', path: 'a.txt', text: `${n}` }]
  for (const n of [1, 2])
    await stranger.native('POST', `${repo.api}/commits`, {
      branch: 'main',
      title: `Change ${n}`,
      operations: text(n),
    })
  await stranger.native('PATCH', repo.api, { description: 'A small model' })
  for (let i = 0; i < 20; i++) await givenRepo(stranger)
  const title = fresh('Good ones')
  const collection = { ns: stranger.username, title, visibility: 'public' }
  await stranger.native('POST', '/collections', collection)
  await page.goto('/?show=feed')
  const feed = page.getByRole('region', { name: 'Feed' })
  await expect(feed.getByText('created the model')).toHaveCount(19)
  await feed.getByRole('button', { name: 'Show more' }).click()
  await expect(feed.getByRole('link', { name: 'Change 2' })).toBeVisible()
  await expect(feed.getByText('created the model')).toHaveCount(21)
  await expect(feed.getByText('brought 2 commits to')).toBeVisible()
  await expect(feed.getByText('A small model').first()).toBeVisible()
  await lookAt(page, { feed: '/?show=feed' }, () => expect(feed.getByRole('listitem').first()).toBeVisible())
  await page.goto('/?show=feed')
  await feed
    .getByRole('listitem')
    .filter({ hasText: 'created the collection' })
    .getByRole('link', { name: title })
    .click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
})

test('the feed has what others did in one’s own repos and in threads that one wrote in', async ({
  page,
  newcomer,
  stranger,
}) => {
  const own = await givenRepo(newcomer, { visibility: 'private', files: { 'a.txt': 'a\n' } })
  const writer = { items: [{ username: stranger.username, role: 'write' }] }
  await newcomer.native('PUT', `${own.api}/collaborators`, writer)
  await commitTexts(stranger, own, 'main', { 'a.txt': 'b\n' })
  const pull = await givenPull(stranger, own, 'Say more', { 'a.txt': 'c\n' })
  const elsewhere = await givenRepo(stranger)
  const asked = await givenDiscussion(newcomer, elsewhere, 'Which data is it of?', 'I ask.')
  for (const body of ['Of ours.', 'And of theirs.'])
    await stranger.native('POST', `${elsewhere.api}/discussions/${asked}/comments`, { body })
  const unrelated = await givenDiscussion(stranger, elsewhere, 'Not for them')

  await page.goto('/?show=feed')
  const feed = page.getByRole('region', { name: 'Feed' })
  const entry = (text: string) => feed.getByRole('listitem').filter({ hasText: text })
  await expect(
    entry(`committed to ${own.ns}/${own.name}`).getByRole('link', { name: 'Change main' }),
  ).toBeVisible()
  await expect(entry(`opened a pull request in ${own.ns}/${own.name}`)).toContainText(`Say more #${pull}`)
  const answered = entry(`commented in ${elsewhere.ns}/${elsewhere.name}`)
  await expect(answered).toContainText('2 comments on this day')
  await expect(feed.getByRole('listitem')).toHaveCount(3)
  await expect(feed).not.toContainText(`#${unrelated}`)
  await lookAt(page, { 'feed-threads': '/?show=feed' }, () => expect(answered).toBeVisible())
  await page.goto('/?show=feed')
  await answered.getByRole('link', { name: 'Which data is it of?' }).press('Enter')
  await expect(page).toHaveURL(`${elsewhere.page}/discussions/${asked}`)
})
