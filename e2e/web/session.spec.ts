import { givenDiscussion } from './community.ts'
import { expect, givenRepo, signIn, test, type Person } from './fixtures.ts'
import { expectNoFault } from './look.ts'

test('a person signs in, comes back to the page they wanted, and signs out', async ({ server, page }) => {
  const person = (await server.newPerson('ann')) as Person
  await page.goto('/new')
  await page.getByRole('link', { name: 'Sign in', exact: true }).first().click()
  await page.getByLabel('Username').fill(person.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'New repo' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/new')

  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a visitor at an unknown address learns what it may be, and signs in to look again', async ({
  page,
  owner,
}) => {
  const repo = await givenRepo(owner)
  for (const [address, title] of [
    ['/some-name/no-repo', 'No such repo'],
    [`${repo.page}/nothing`, 'Nothing is at this address'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('it may be private')
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(address)}`)
  }
})

test('a wrong password is an error at once, and the form stays', async ({ server, page }) => {
  const person = (await server.newPerson('eve')) as Person
  await page.goto('/auth/login?local=1')
  await page.getByLabel('Username').fill(person.username)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password at all')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(person.username)
})

test('too many wrong passwords count down', async ({ server, page }) => {
  const person = (await server.newPerson('mal')) as Person
  for (let tries = 0; tries < 10; tries++)
    await server.login(person.username, 'wrong on purpose').catch(() => undefined)
  await page.goto('/login')
  await page.getByLabel('Username').fill(person.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Too many attempts')).toBeVisible()
  await expect(page.getByText(/Try again in \d+/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign in' })).toBeDisabled()
})

test('a session that was ended elsewhere leaves a page that asks to sign in, and what was being written', async ({
  server,
  page,
  context,
}) => {
  const person = (await server.newPerson('ole')) as Person
  await signIn(context, server.url, person)
  await page.goto('/settings/tokens')
  await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeVisible()
  await person.native('POST', '/auth/logout')
  await page.goto('/settings/tokens')
  await expect(page.getByText('Sign in to see this')).toBeVisible()

  const again = { ...(await server.login(person.username, person.password)), password: person.password }
  const repo = await givenRepo(again)
  const num = await givenDiscussion(again, repo, 'First')
  await signIn(context, server.url, again)
  await page.goto(`${repo.page}/discussions/${num}`)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('A long thought')
  await again.native('POST', '/auth/logout')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'You have been signed out' })
  await dialog.getByLabel('Username').fill(person.username)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(comment).toHaveValue('A long thought')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('article').getByText('A long thought')).toBeVisible()
})

test('dialogs and menus keep the focus, and give it back to what opened them', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  await page.goto(repo.page)
  for (const name of [
    'Use this model',
    'Collections',
    'Like, 0 so far',
    'Jobs',
    `Account of ${person.username}`,
  ]) {
    const opener =
      name === 'Like, 0 so far'
        ? page.getByRole('button', { name: '0 people like this: show them' })
        : page.getByRole('button', { name, exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    const opened = page.getByRole(name.startsWith('Account') ? 'menu' : 'dialog')
    await expect(opened).toBeVisible()
    await expect(opened.locator(':focus')).toHaveCount(1)
    if (name === 'Use this model') await expectNoFault(page)
    for (let i = 0; i < 12; i++) await page.keyboard.press('Tab')
    await expect(opened.locator(':focus'), `${name} lets the focus out`).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
    await expect(opener, `${name} keeps the focus`).toBeFocused()
  }
})

test('at 360 px every place is behind one button, which the keyboard opens and leaves', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/models')
  const button = page.getByRole('button', { name: 'Places' })
  const places = page.getByRole('navigation', { name: 'Places' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(places.getByRole('link')).toHaveText([
    'Models',
    'Datasets',
    'Collections',
    'API reference',
    'Compatibility',
  ])
  await page.keyboard.press('Escape')
  await expect(places).toHaveCount(0)
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await places.getByRole('link', { name: 'Collections' }).click()
  await expect(page).toHaveURL('/collections')
  await expect(places).toHaveCount(0)
})

test('a server out of reach is said to be, and asked again', async ({ browser, server, owner }) => {
  const context = await browser.newContext({ baseURL: server.url })
  await signIn(context, server.url, owner)
  const page = await context.newPage()
  await page.route('**/api/service/v1/**', (route) => route.abort())
  for (const address of ['/', `/${owner.username}`, '/settings/tokens']) {
    await page.goto(address)
    await expect(page.getByRole('alert').first()).toContainText('The server cannot be reached')
  }
  await page.unroute('**/api/service/v1/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'New token' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).fill('laptop')
  await context.setOffline(true)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toContainText('The server cannot be reached')
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Keep writing' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('laptop')
  await context.close()
})
