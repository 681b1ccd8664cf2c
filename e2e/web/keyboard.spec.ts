import type { Locator } from '@playwright/test'
import { expect, fresh, test, type Page, type Person } from './fixtures.ts'

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let i = 0; i < 80; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`80 presses of Tab do not reach ${target}`)
}

async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function write(page: Page, field: Locator, text: string) {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

test('from signing in to deleting by keyboard alone: create, upload, pull request, merge', async ({
  page,
  server,
}) => {
  const person = (await server.newPerson('keys')) as Person
  // No press by a mouse, which a later change of this test could bring in.
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => sessionStorage.setItem('pointed', 'yes'), true)
  })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const main = page.getByRole('main')

  await page.goto('/new')
  await press(page, main.getByRole('link', { name: 'Sign in', exact: true }))
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type(person.username)
  await write(page, page.getByRole('textbox', { name: 'Password' }), person.password)
  await page.keyboard.press('Enter')

  const name = fresh('keys')
  // Not exact, it is also the name of "Username", where the page of signing in is still open.
  await write(page, page.getByRole('textbox', { name: 'Name', exact: true }), name)
  await expect(page.getByText('this name is free')).toBeVisible()
  await press(page, button('Create model'))
  await expect(page).toHaveURL(`/${person.username}/${name}`)
  const repo = {
    ns: person.username,
    name,
    api: `/repos/models/${person.username}/${name}`,
    page: `/${person.username}/${name}`,
  }

  const tabs = page.getByRole('navigation', { name: 'Repo', exact: true })
  await press(page, tabs.getByRole('link', { name: 'Files' }))
  await press(page, main.getByRole('link', { name: 'Upload', exact: true }))
  const picker = page.waitForEvent('filechooser')
  await press(page, button('Choose files'))
  // The dialog is the system's own.
  await (
    await picker
  ).setFiles({ name: 'train.py', mimeType: 'text/plain', buffer: Buffer.from('rate = 1\n') })
  await write(page, page.getByLabel('Commit title'), 'Add the training')
  await press(page, button('Upload the file'))
  await expect(page).toHaveURL(`${repo.page}/tree/main`)

  await press(
    page,
    page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'train.py', exact: true }),
  )
  await press(page, main.getByRole('link', { name: 'Edit', exact: true }))
  await tabTo(page, page.getByLabel('Text'))
  await page.keyboard.press('Control+End')
  await page.keyboard.type('steps = 2\n')
  // Tab indents within a text; Escape, then Tab leaves it.
  await page.keyboard.press('Escape')
  await write(page, page.getByLabel('Commit title'), 'Say how many steps')
  await tabTo(page, page.getByRole('radio', { name: 'Directly to main' }))
  await page.keyboard.press('ArrowDown')
  await press(page, button('Open a pull request'))
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)

  await press(page, button('Merge…'))
  await press(page, button('Merge into main'))
  await expect(page.getByRole('heading', { name: 'Merged into main', exact: true })).toBeVisible()
  const merged = await fetch(`${server.url}${repo.page}/resolve/main/train.py`, {
    headers: { cookie: person.cookie() },
  })
  expect(await merged.text()).toBe('rate = 1\nsteps = 2\n')

  await press(page, tabs.getByRole('link', { name: 'Settings' }))
  await press(page, button('Delete this model'))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type(`${person.username}/${name}`)
  await press(page, dialog.getByRole('button', { name: 'Delete model', exact: true }))
  await expect(page).toHaveURL('/settings/deleted')
  expect((await person.native('GET', repo.api))['deleted_at']).toBeTruthy()
  expect(await page.evaluate(() => sessionStorage.getItem('pointed'))).toBeNull()
})
