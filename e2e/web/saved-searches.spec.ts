import { expect, fresh, givenRepo, test } from './fixtures.ts'
import { lookAt, shoot } from './look.ts'

test('a search is saved, opened from home, renamed and deleted', async ({ page, person }) => {
  const tag = fresh('saved')
  const card = `---\nlicense: mit\ntags: [${tag}]\n---\n`
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  await page.goto(`/models?ns=${person.username}&licence=mit&sort=likes`)
  await page.getByRole('button', { name: 'Saved' }).click()
  await page.getByRole('menuitem', { name: 'Save this search' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Mine by likes')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.goto('/')
  const side = page.getByRole('region', { name: 'Saved searches' })
  await side.getByRole('link', { name: 'Mine by likes' }).click()
  await expect(page).toHaveURL(`/models?ns=${person.username}&licence=mit&sort=likes`)
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: `${person.username}/${repo.name}` })).toBeVisible()

  await lookAt(page, { home: '/', list: '/models?licence=mit' }, () =>
    expect(page.getByText(/Mine by likes|Saved · 1/).first()).toBeVisible(),
  )
  await page.getByRole('button', { name: 'Saved · 1' }).click()
  await expect(page.getByRole('menuitem', { name: 'Rename or delete' })).toBeVisible()
  await shoot(page, 'saved-searches-menu')
  await page.getByRole('menuitem', { name: 'Rename or delete' }).click()
  await expect(page.getByLabel('Name of Mine by likes')).toBeVisible()
  await shoot(page, 'saved-searches-dialog')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of Mine by likes').fill('Liked')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(dialog.getByLabel('Name of Liked')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete Liked' }).click()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.getByRole('button', { name: 'Delete Liked' }).click()
  expect((await person.native<{ items: unknown[] }>('GET', '/me/searches')).items).toHaveLength(1)
  await dialog.getByRole('button', { name: 'Yes, delete Liked' }).click()
  await expect(dialog.getByText('No saved searches are left.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible()
})

test('a name that is taken says so, and nothing is lost', async ({ page, person }) => {
  await givenRepo(person, {})
  for (const time of ['first', 'second']) {
    await page.goto(`/datasets?ns=${person.username}`)
    await page.getByRole('button', { name: /^Saved/ }).click()
    await page.getByRole('menuitem', { name: 'Save this search' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    if (time === 'first') await expect(page.getByRole('dialog')).toBeHidden()
  }
  await expect(page.getByRole('dialog')).toContainText('You have a saved search called Mine')
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Mine')
})

test('a list of saved searches that fails to load says so and is loaded again', async ({ page, person }) => {
  await person.native('POST', '/me/searches', { list: 'models', name: 'Kept', query: 'licence=mit' })
  await page.route('**/me/searches', (route) => route.fulfill({ status: 429, body: '{}' }))
  await page.goto('/models')
  await page.getByRole('button', { name: 'Saved', exact: true }).click()
  const retry = page.getByRole('menuitem', { name: 'Saved searches did not load. Retry' })
  await expect(retry).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/me/searches')
  await retry.click()
  await expect(page.getByRole('menuitem', { name: 'Kept' })).toBeVisible()
})
