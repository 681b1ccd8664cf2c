import type { Locator } from '@playwright/test'
import { expect, givenRepo, test, type Page } from './fixtures.ts'

/** Opens a link in a tab of its own, by the middle button and by Ctrl, and stays where one is. */
async function opensInNewTab(page: Page, link: Locator, address: string | RegExp) {
  const here = page.url()
  for (const press of [{ button: 'middle' }, { modifiers: ['ControlOrMeta'] }] as const) {
    const opened = page.context().waitForEvent('page')
    await link.click({ ...press, modifiers: 'modifiers' in press ? [...press.modifiers] : [] })
    await expect(await opened).toHaveURL(address)
    await (await opened).close()
    expect(page.url()).toBe(here)
  }
}

test('a row of a list opens in a tab of its own by the middle button and by Ctrl', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  await page.goto(`/models?search=${repo.name}`)
  const row = page.getByRole('main').getByRole('link', { name: new RegExp(`${repo.name}$`) })
  await opensInNewTab(page, row, repo.page)
})

test('so do tabs, files, and buttons that lead to another page', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\n' } })
  await page.goto(repo.page)
  const tabs = page.getByRole('navigation', { name: 'Repo', exact: true })
  await opensInNewTab(page, tabs.getByRole('link', { name: /^Files/ }), `${repo.page}/tree/main`)
  await opensInNewTab(page, tabs.getByRole('link', { name: 'Settings' }), `${repo.page}/settings`)
  await page.goto(`${repo.page}/tree/main`)
  await opensInNewTab(
    page,
    page.getByRole('link', { name: 'notes.txt', exact: true }),
    /blob\/main\/notes.txt$/,
  )
  await opensInNewTab(page, page.getByRole('link', { name: 'Upload' }), /\/upload\/main/)
  await page.goto(`${repo.page}/blob/main/notes.txt`)
  await opensInNewTab(page, page.getByRole('link', { name: 'Edit' }), /\/edit\/main\/notes.txt$/)
  await page.goto('/models')
  await opensInNewTab(page, page.getByRole('link', { name: 'New model' }), /\/new\?type=model/)
})
