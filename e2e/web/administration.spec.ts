import { expect, fresh, signIn, test, type Page, type Person } from './fixtures.ts'
import { expectNoFault, lookAt } from './look.ts'
import { freshPage, setPassword } from './sessions.ts'

const password = 'brisk-heron-vault-77'

/** Chooses one of the actions for a user. */
async function act(page: Page, username: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${username}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

const linkShown = (page: Page) => page.getByLabel('Link', { exact: true }).innerText()

test('an admin makes an account, whose person sets a password by its link', async ({
  page,
  context,
  admin,
  server,
  browser,
}) => {
  await signIn(context, server.url, admin)
  const username = fresh('made')
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Email' }).fill(`${username}@example.org`)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const url = await linkShown(page)

  const theirs = await freshPage(browser, server)
  await theirs.goto(url)
  await expect(theirs.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await theirs.getByRole('textbox', { name: 'Password' }).fill('short')
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await expect(theirs.getByText('use at least 12 characters')).toBeVisible()
  await setPassword(theirs, password)
  expect((await server.login(username, password)).username).toBe(username)
  await theirs.goto(url)
  await expect(theirs.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('an admin disables a person with immediate effect, enables them, and makes them an admin', async ({
  page,
  context,
  admin,
  server,
}) => {
  const person = (await server.newPerson('dis')) as Person
  const { username } = person
  await signIn(context, server.url, admin)
  await page.goto(`/admin/users?q=${username}`)
  const row = page.getByRole('row').filter({ hasText: username })
  await act(page, username, 'Disable')
  await expect(row.getByText('disabled', { exact: true })).toBeVisible()
  await expect(person.native('GET', '/me/tokens')).rejects.toThrow()
  await act(page, username, 'Enable')
  await expect(row.getByText('disabled', { exact: true })).toHaveCount(0)
  await act(page, username, 'Make an admin')
  await expect(row.getByText('admin', { exact: true })).toBeVisible()
  await page.goto(`/admin/audit?target=${username}&action=user.`)
  await expect(page.getByRole('row').filter({ hasText: 'user.disable' })).toHaveCount(1)
  await expect(page.getByRole('row').filter({ hasText: 'user.admin.set' })).toHaveCount(1)
})

test('a pending address is confirmed by the link that an admin makes', async ({
  page,
  context,
  admin,
  server,
  browser,
}) => {
  const person = (await server.newPerson('mail')) as Person
  const address = `${person.username}@example.org`
  await person.native('PATCH', '/me', { email: address })
  await signIn(context, server.url, admin)
  await page.goto(`/admin/users?q=${person.username}`)
  await expect(page.getByText(`${address} awaits confirmation`)).toBeVisible()
  await act(page, person.username, 'Make a link that confirms the email')
  const theirs = await freshPage(browser, server)
  await theirs.goto(await linkShown(page))
  await theirs.getByRole('button', { name: 'Confirm the address' }).click()
  await expect(theirs.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  expect(await person.native('GET', '/me')).toMatchObject({ email: address, email_verified: true })
})

test('an admin looks at one person: how they sign in, their sessions and tokens, and revokes one with its children', async ({
  page,
  context,
  admin,
  server,
}) => {
  const person = (await server.newPerson('one')) as Person
  const parent = await person.native<{ secret: string }>('POST', '/me/tokens', {
    name: 'for the pipeline',
    scopes: ['write'],
  })
  const made = await fetch(`${server.url}/api/service/v1/me/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${parent.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'made by a step', scopes: ['read'] }),
  })
  expect(made.status).toBe(201)
  await signIn(context, server.url, admin)
  await page.goto(`/admin/users?q=${person.username}`)
  await page.getByRole('link', { name: person.username }).click()
  await expect(page.getByRole('heading', { level: 1, name: person.username })).toBeVisible()
  const child = page.getByRole('row').filter({ hasText: 'made by a step' })
  await expect(child).toContainText('Made with for the pipeline')
  await expectNoFault(page)
  await page.getByRole('button', { name: 'Revoke for the pipeline' }).click()
  await expect(child).toHaveCount(0)
  await page.getByRole('link', { name: 'Audit log' }).last().click()
  await expect(page.getByRole('row').filter({ hasText: 'token.create' }).first()).toBeVisible()
})

test('an admin sees every token with its last use and its end, those beyond the policy alone, and revokes one', async ({
  page,
  context,
  admin,
  server,
}) => {
  const person = (await server.newPerson('tok')) as Person
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const make = (name: string, expires_at?: string) =>
    person.native<{ secret: string }>('POST', '/me/tokens', {
      name,
      scopes: ['read'],
      ...(expires_at && { expires_at }),
    })
  const { secret } = await make('used', inDays(20))
  await make('for-good')
  const status = async () =>
    (await fetch(`${server.url}/api/service/v1/me`, { headers: { authorization: `Bearer ${secret}` } }))
      .status
  expect(await status()).toBe(200)
  await signIn(context, server.url, admin)
  const row = (name: string) =>
    page.getByRole('row').filter({ hasText: person.username }).filter({ hasText: name })
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await expect(row('used').getByRole('cell').nth(4)).toContainText('in 20 days')
  await expect(row('for-good').getByRole('cell').nth(3)).toHaveText('never')
  await expect(row('for-good').getByRole('cell').nth(4)).toHaveText('never')
  // The server notes the use of a token within seconds.
  await expect(async () => {
    await page.reload()
    await expect(row('used').getByRole('cell').nth(3)).toContainText(/just now|ago/, { timeout: 2000 })
  }).toPass()

  await admin.native('PATCH', '/admin/policies', { token_max_days: 30 })
  try {
    const beyond = page.getByLabel('Only those that outlast the policies')
    // The address holds the state, and changes a moment after the press.
    await beyond.click()
    await expect(beyond).toBeChecked()
    await expect(row('for-good').getByText('beyond policy')).toBeVisible()
    await expect(row('used')).toHaveCount(0)
    await beyond.click()
    await expect(beyond).not.toBeChecked()
  } finally {
    await admin.native('PATCH', '/admin/policies', { token_max_days: null })
  }
  await page.getByRole('button', { name: `Revoke used of ${person.username}` }).click()
  await expect(row('used')).toHaveCount(0)
  expect(await status()).toBe(401)
})

test('an admin finds organisations by name and display name, and sets what visibility clients give there', async ({
  page,
  context,
  admin,
  server,
}) => {
  const person = (await server.newPerson('own')) as Person
  const word = fresh('zeb').replace('-', '')
  const [first, second] = [`${word}-one`, fresh('other')]
  await person.native('POST', '/orgs', { ns: first })
  await person.native('POST', '/orgs', { ns: second, display_name: `The ${word} works` })
  await signIn(context, server.url, admin)
  await page.goto('/admin/orgs')
  const rows = page.getByRole('row')
  await page.getByRole('textbox', { name: 'Search organisations' }).fill(word)
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText(second)
  await expect(rows.nth(2)).toContainText(first)
  await expect(rows.nth(2)).toContainText(person.username)
  await expect(page).toHaveURL(`/admin/orgs?q=${word}`)
  await page.getByRole('textbox', { name: 'Search organisations' }).fill(`${word}-no`)
  await expect(page.getByText('No organisation matches')).toBeVisible()
  await page.getByRole('textbox', { name: 'Search organisations' }).fill(`${word}-one`)

  await page.getByRole('link', { name: first }).click()
  await page.getByRole('link', { name: 'Organisation settings' }).click()
  await expect(page.getByLabel('Visibility of new repos from clients')).toHaveValue('public')
  await page.getByLabel('Visibility of new repos from clients').selectOption('private')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  expect(await admin.native('GET', `/namespaces/${first}`)).toMatchObject({ default_visibility: 'private' })
})

test('an invite is made, redeemed by the person, and another is revoked', async ({
  page,
  context,
  admin,
  server,
  browser,
}) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin/invites')
  const note = fresh('note')
  const invite = async (text: string) => {
    await page.getByRole('button', { name: 'New invite' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill(text)
    await page.getByRole('button', { name: 'Make the link' }).click()
    const url = await linkShown(page)
    await page.getByRole('button', { name: 'Done' }).click()
    return url
  }
  const url = await invite(note)
  const theirs = await freshPage(browser, server)
  await theirs.goto(url)
  const username = fresh('inv')
  await theirs.getByRole('textbox', { name: 'Username' }).fill(username)
  await theirs.getByRole('textbox', { name: 'Password' }).fill(password)
  await theirs.getByRole('button', { name: 'Create account' }).click()
  await expect(theirs.getByText(`You are signed in as ${username}.`)).toBeVisible()
  await theirs.getByRole('link', { name: 'Continue' }).click()
  await expect(theirs.getByRole('button', { name: `Account of ${username}` })).toBeVisible()
  const other = await invite(`${note}-2`)
  const row = page.getByRole('row').filter({ hasText: `${note}-2` })
  await row.getByRole('button', { name: /^Revoke/ }).click()
  await expect(row).toHaveCount(0)
  await theirs.goto(other)
  await expect(theirs.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('the pages of people hold to the rules of every page, wide and narrow, in both themes', async ({
  page,
  context,
  admin,
  server,
}) => {
  const { url } = await admin.native<{ url: string }>('POST', '/admin/invites', {
    note: 'Welcome',
    is_admin: true,
  })
  await admin.native('POST', '/orgs', { ns: fresh('org'), display_name: 'Acme Research' })
  const anonymous = { login: '/login', register: '/register', invite: url, 'no-link': '/links/unknown' }
  const signedIn = {
    'sign-in': '/settings/sign-in',
    users: '/admin/users',
    orgs: '/admin/orgs',
    tokens: '/admin/tokens',
    invites: '/admin/invites',
    audit: '/admin/audit',
    'unsafe-files': '/admin/unsafe-files',
  }
  await lookAt(page, anonymous)
  await signIn(context, server.url, admin)
  await lookAt(page, signedIn)
})

test('an admin verifies the audit log', async ({ page, context, admin, server }) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin/audit')
  await page.getByRole('button', { name: 'Verify the log' }).click()
  const result = page.getByRole('status').filter({ hasText: 'The log is whole' })
  await expect(result).toBeVisible()
  await expect(result).toContainText('events checked')
  await expectNoFault(page)
})
