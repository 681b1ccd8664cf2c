import { expect, signIn, test, type Caller, type Page, type Person, type Server } from './fixtures.ts'
import { freshPage, givePassword, setPassword } from './sessions.ts'

const password = 'brisk-heron-vault-77'

/** Chooses one of the actions for a user on the page of users, and answers the link that it shows once. */
async function linkFor(page: Page, username: string, action: string): Promise<string> {
  await page.goto(`/admin/users?q=${username}`)
  await page.getByRole('button', { name: `Actions for ${username}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
  const url = await page.getByLabel('Link', { exact: true }).innerText()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(url)).toHaveCount(0)
  return url
}

const statusOf = async (server: Server, secret: string) =>
  (await fetch(`${server.url}/api/service/v1/me`, { headers: { Authorization: `Bearer ${secret}` } })).status

test('a reset link sets a password in another browser, and ends the sessions and, if asked, the tokens', async ({
  page,
  context,
  admin,
  server,
  browser,
}) => {
  const person = (await server.newPerson('res')) as Person
  const { secret } = await person.native<{ secret: string }>('POST', '/me/tokens', {
    name: 'laptop',
    scopes: ['read'],
  })
  const before = await browser.newContext({ baseURL: server.url })
  await signIn(before, server.url, person)
  const old = await before.newPage()
  await old.goto('/settings/sessions')
  await expect(old.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible()

  await signIn(context, server.url, admin)
  const first = await linkFor(page, person.username, 'Make a reset link')
  const second = await linkFor(page, person.username, 'Make a reset link')
  const theirs = await freshPage(browser, server)
  await theirs.goto(first)
  await expect(theirs.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await theirs.goto(second)
  await expect(theirs.getByText(`For the account ${person.username}.`)).toBeVisible()
  await setPassword(theirs, password)

  await old.reload()
  await expect(old.getByText('Sign in to see this')).toBeVisible()
  await expect(person.native('GET', '/me')).rejects.toThrow(/401/)
  await expect(server.login(person.username, person.password)).rejects.toThrow(/401/)
  expect(await statusOf(server, secret)).toBe(200)
  await theirs.getByRole('link', { name: 'Go to the sign-in page' }).click()
  await givePassword(theirs, { username: person.username, password })
  await expect(theirs.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()

  const third = await linkFor(page, person.username, 'Make a reset link')
  await old.goto(third)
  await old.getByLabel('Also revoke my access tokens').check()
  await setPassword(old, person.password)
  expect(await statusOf(server, secret)).toBe(401)
  await theirs.reload()
  await expect(theirs.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
  await before.close()
  await theirs.context().close()
})

test('another address waits in Settings until its link is used; the link of a changed wish no longer works', async ({
  page,
  newcomer,
  admin,
  server,
  browser,
}) => {
  const { username } = newcomer
  const [wrong, right] = [`${username}@exampel.org`, `${username}@example.org`]
  const ask = async (address: string) => {
    await page.goto('/settings')
    await page.getByLabel('Email').fill(address)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`${address} is not confirmed yet.`)).toBeVisible()
  }
  const office = await browser.newContext({ baseURL: server.url })
  await signIn(office, server.url, admin)
  const desk = await office.newPage()
  const theirs = await freshPage(browser, server)

  await ask(wrong)
  const stale = await linkFor(desk, username, 'Make a link that confirms the email')
  await ask(right)
  await theirs.goto(stale)
  await expect(theirs.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  expect(await newcomer.native('GET', '/me')).toMatchObject({ pending_email: right })

  const link = await linkFor(desk, username, 'Make a link that confirms the email')
  await theirs.goto(link)
  await expect(theirs.getByText(`${right} becomes the address of the account ${username}.`)).toBeVisible()
  await theirs.getByRole('button', { name: 'Confirm the address' }).click()
  await expect(theirs.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  expect(await newcomer.native('GET', '/me')).toMatchObject({ email: right, email_verified: true })
  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(right)
  await expect(page.getByText('is not confirmed yet')).toHaveCount(0)
  await office.close()
  await theirs.context().close()
})

/** Has two browsers do the same at once; one is to see that it is done, the other that the link was used. */
async function race(both: [Page, Page], press: (page: Page) => Promise<void>, title: string) {
  await Promise.all(both.map(press))
  const won = (page: Page) => page.getByRole('heading', { name: title })
  const lost = (page: Page) => page.getByRole('alert').filter({ hasText: 'A link works once' })
  for (const page of both) await expect(won(page).or(lost(page)).first()).toBeVisible()
  const wins = await Promise.all(both.map(async (page) => won(page).count()))
  expect(wins.toSorted()).toEqual([0, 1])
  return wins.indexOf(1)
}

async function linkOf(admin: Caller, person: Person, kind: 'reset' | 'email', body?: object) {
  const { items } = await admin.native<{ items: { id: string }[] }>(
    'GET',
    `/admin/users?q=${person.username}`,
  )
  return (await admin.native<{ url: string }>('POST', `/admin/users/${items[0]?.id}/${kind}-link`, body)).url
}

test('of two browsers that use one reset link, one sets the password, and the other sees why not', async ({
  admin,
  server,
  browser,
}) => {
  const person = (await server.newPerson('two')) as Person
  const url = await linkOf(admin, person, 'reset')
  const both = [await freshPage(browser, server), await freshPage(browser, server)] as [Page, Page]
  const passwords = ['brisk-heron-vault-77', 'quiet-otter-lamp-42']
  for (const [i, page] of both.entries()) {
    await page.goto(url)
    await page.getByRole('textbox', { name: 'Password' }).fill(passwords[i] ?? '')
  }
  const winner = await race(
    both,
    (page) => page.getByRole('button', { name: 'Set password' }).click(),
    'Your password is set',
  )
  await server.login(person.username, passwords[winner])
  await expect(server.login(person.username, passwords[1 - winner])).rejects.toThrow(/401/)
  for (const page of both) await page.context().close()
})

test('of two browsers that use one link for an address, one confirms it', async ({
  admin,
  server,
  browser,
}) => {
  const person = (await server.newPerson('two')) as Person
  const email = `${person.username}@example.org`
  await person.native('PATCH', '/me', { email })
  const url = await linkOf(admin, person, 'email', { email })
  const both = [await freshPage(browser, server), await freshPage(browser, server)] as [Page, Page]
  for (const page of both) {
    await page.goto(url)
    await expect(page.getByRole('button', { name: 'Confirm the address' })).toBeVisible()
  }
  await race(
    both,
    (page) => page.getByRole('button', { name: 'Confirm the address' }).click(),
    'Your email address is confirmed',
  )
  expect(await person.native('GET', '/me')).toMatchObject({ email, email_verified: true })
  for (const page of both) await page.context().close()
})
