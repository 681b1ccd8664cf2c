import { expect, signIn, test, type Person } from './fixtures.ts'

test('a person signs in, comes back to the page they wanted, and signs out', async ({ server, page }) => {
  const person = (await server.newPerson('ann')) as Person
  await page.goto('/new')
  await page.getByRole('link', { name: 'Sign in', exact: true }).first().click()
  await page.getByLabel('Username').fill(person.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'New Repo' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/new')

  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a wrong password is told at once, and the form stays', async ({ server, page }) => {
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

test('a session that was ended elsewhere leaves a page that asks to sign in', async ({
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
})
