import { expect, fresh, givenRepo, test } from './fixtures.ts'
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
  stranger,
}) => {
  const repo = await givenRepo(stranger)
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
  await page.goto('/?show=feed')
  const feed = page.getByRole('region', { name: 'Feed' })
  await expect(feed.getByText('created the model')).toHaveCount(20)
  await feed.getByRole('button', { name: 'Show more' }).click()
  await expect(feed.getByRole('link', { name: 'Change 2' })).toBeVisible()
  await expect(feed.getByText('brought 2 commits to')).toBeVisible()
  await expect(feed.getByText('A small model').first()).toBeVisible()
  await lookAt(page, { feed: '/?show=feed' }, () => expect(feed.getByRole('listitem').first()).toBeVisible())
})
