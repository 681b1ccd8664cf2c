import { expect, fresh, signIn, test as closed, testOn, type Caller, type Person } from './fixtures.ts'
import { lookAt } from './look.ts'
import { givePassword } from './sessions.ts'

const password = 'brisk-heron-vault-77'
const open = testOn({ 'security.registration': 'open' })
const invited = testOn({ 'security.registration': 'invite' })

/** What the server holds of an account, as an admin reads it. */
const accountOf = async (admin: Caller, username: string) =>
  (await admin.native<{ items: object[] }>('GET', `/admin/users?q=${username}`)).items

open(
  'where registration is open, a visitor makes an account and signs in with it again',
  async ({ page, server, admin }) => {
    const { username: taken } = (await server.newPerson('old')) as Person
    const username = fresh('reg')
    await page.goto('/login')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
    const name = page.getByLabel('Username')
    const secret = page.getByRole('textbox', { name: 'Password' })
    const create = page.getByRole('button', { name: 'Create account' })

    await name.fill(taken)
    await secret.fill(password)
    await create.click()
    await expect(page.getByRole('main')).toContainText('a user or organisation has this name')
    await name.fill(username)
    await secret.fill('password1234')
    await create.click()
    await expect(secret).toHaveAttribute('data-invalid', 'true')
    expect(await accountOf(admin, username)).toEqual([])
    await secret.fill(password)
    await page.getByLabel('Email').fill(`${username}@example.org`)
    await create.click()
    await expect(page.getByRole('button', { name: `Account of ${username}` })).toBeVisible()
    await expect(page).toHaveURL('/')
    expect(await accountOf(admin, username)).toMatchObject([
      { username, is_admin: false, has_password: true, pending_email: `${username}@example.org` },
    ])

    await page.getByRole('button', { name: `Account of ${username}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await givePassword(page, { username, password })
    await expect(page.getByRole('button', { name: `Account of ${username}` })).toBeVisible()
  },
)

open(
  'one address makes five accounts in an hour; the page then says to wait',
  async ({ page, server, admin }) => {
    const register = (username: string) =>
      fetch(`${server.url}/api/service/v1/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: server.url },
        body: JSON.stringify({ username, password }),
      })
    // The test before may have made one.
    await expect.poll(async () => (await register(fresh('many'))).status, { intervals: [0] }).toBe(429)
    const username = fresh('late')
    await page.goto('/register')
    await page.getByLabel('Username').fill(username)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toContainText('Too many')
    await expect(page.getByLabel('Username')).toHaveValue(username)
    expect(await accountOf(admin, username)).toEqual([])
  },
)

open('the form for a new account holds to the rules of every page', async ({ page }) => {
  await lookAt(page, { register: '/register', login: '/login' })
})

invited(
  'where an invite is needed, its link makes the account that the admin wants',
  async ({ page, context, browser, server, admin }) => {
    const [ns, username] = [fresh('lab'), fresh('inv')]
    await admin.native('POST', '/orgs', { ns })
    const theirs = await (await browser.newContext({ baseURL: server.url })).newPage()
    await lookAt(theirs, { 'register-invite': '/register' })
    await expect(theirs.getByRole('heading', { name: 'You need an invite' })).toBeVisible()
    await expect(theirs.getByLabel('Username')).toHaveCount(0)
    await theirs.goto('/login')
    await expect(theirs.getByText('Ask an admin of this server for an invite.')).toBeVisible()
    await expect(theirs.getByRole('link', { name: 'Create an account' })).toHaveCount(0)

    await signIn(context, server.url, admin)
    await page.goto('/admin/invites')
    await page.getByRole('button', { name: 'New invite' }).click()
    const form = page.getByRole('dialog', { name: 'New invite' })
    await form.getByRole('textbox', { name: 'Username' }).fill(username)
    await form.getByRole('textbox', { name: 'Email' }).fill(`${username}@example.org`)
    await form.getByRole('textbox', { name: 'Organisation' }).fill(ns)
    await form.getByLabel('Role there').selectOption('write')
    await form.getByRole('button', { name: 'Make the link' }).click()
    const url = await page.getByLabel('Link', { exact: true }).innerText()

    await theirs.goto(url)
    await expect(theirs.getByText(`Your username will be ${username}.`)).toBeVisible()
    await expect(theirs.getByText(`Role write in ${ns}`)).toBeVisible()
    await theirs.getByRole('textbox', { name: 'Password' }).fill(password)
    await theirs.getByRole('button', { name: 'Create account' }).click()
    await expect(theirs.getByText(`You are signed in as ${username}.`)).toBeVisible()
    const person = await server.login(username, password)
    expect(await person.native('GET', '/me')).toMatchObject({
      username,
      email: `${username}@example.org`,
      email_verified: true,
      orgs: [{ ns, role: 'write' }],
    })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'No open invites' })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: username })).toHaveCount(0)
    await theirs.context().close()
  },
)

closed(
  'where registration is closed, no page leads to it, and its address says who to ask',
  async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByText('No account yet? Ask an admin of this server.')).toBeVisible()
    for (const address of ['/login', '/', '/models']) {
      await page.goto(address)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.locator('a[href^="/register"]')).toHaveCount(0)
    }
    await page.goto('/register')
    await expect(page.getByRole('heading', { name: 'Accounts are made by admins here' })).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveCount(0)
    const answer = await page.request.post('/api/service/v1/auth/register', {
      data: { username: fresh('no'), password },
      headers: { Origin: new URL(page.url()).origin },
    })
    expect([answer.status(), ((await answer.json()) as { code: string }).code]).toEqual([
      403,
      'registration-closed',
    ])
  },
)
