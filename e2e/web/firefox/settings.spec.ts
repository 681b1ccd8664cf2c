import { expect, fresh, givenRepo, test } from '../fixtures.ts'
import { typeValue } from './typing.ts'

test('a person changes their profile and password', async ({ page, newcomer, server }) => {
  await page.goto('/settings')
  await typeValue(page.getByLabel('Display name'), 'Pat of the Page')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  expect(await newcomer.native('GET', '/me')).toMatchObject({ display_name: 'Pat of the Page' })

  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Password', exact: true })
    .click()
  const current = page.getByRole('textbox', { name: 'Current password' })
  await typeValue(current, 'not my password')
  await typeValue(page.getByRole('textbox', { name: 'New password' }), 'orchid-lantern-kayak-77')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(current).toHaveAttribute('aria-invalid', 'true')
  await typeValue(current, newcomer.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await server.login(newcomer.username, 'orchid-lantern-kayak-77')
})

test('a repo is described, made private, shared and renamed', async ({ page, person, stranger, server }) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one' } })
  await page.goto(`${repo.page}/settings`)
  await typeValue(page.getByLabel('Description'), 'Changed')
  await page.getByLabel('Visibility').selectOption('private')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  expect(await person.native('GET', repo.api)).toMatchObject({
    description: 'Changed',
    visibility: 'private',
  })
  const read = () =>
    fetch(`${server.url}${repo.page}/resolve/main/notes.txt`, { headers: { cookie: stranger.cookie() } })
  expect((await read()).status).toBe(404)

  const section = page.getByRole('region', { name: 'Collaborators' })
  await typeValue(section.getByLabel('Username'), stranger.username)
  await section.getByLabel('Role', { exact: true }).selectOption('read')
  await section.getByRole('button', { name: 'Add collaborator' }).click()
  await expect(section.getByLabel(`Role of ${stranger.username}`)).toHaveValue('read')
  expect(await (await read()).text()).toBe('one')

  const renamed = fresh('renamed')
  const rename = page.getByRole('region', { name: 'Rename' })
  await typeValue(rename.getByLabel('Name'), renamed)
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(page).toHaveURL(`/${person.username}/${renamed}/settings`)
  const moved = await person.native('GET', `/repos/models/${person.username}/${renamed}`)
  expect(moved).toMatchObject({ description: 'Changed', visibility: 'private' })
})
