import { expect, signIn, testOn, type Caller, type Page, type Person, type Server } from './fixtures.ts'
import { age, givePassword, outlast } from './sessions.ts'

/*
 * Passkeys in Chromium, with its own virtual authenticator. Browsers allow them on https and on `localhost`, so the server
 * of these tests is known by that name.
 */
const test = testOn({}, { host: 'localhost' })

/** A device with a fingerprint reader, which says yes. */
async function givenDevice(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const credentials = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return { credentials }
}

/** Adds a passkey by the page; the recovery codes that it shows with the first. */
async function addPasskey(page: Page, name: string): Promise<string[]> {
  await page.goto('/settings/sign-in')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  const text = await codes.locator('pre').textContent()
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  return (text ?? '').split('\n')
}

async function signOut(page: Page, username: string) {
  await page.getByRole('button', { name: `Account of ${username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
}

async function newAdmin(server: Server): Promise<Person> {
  const person = (await server.newPerson('boss')) as Person
  await server.cli(['user', 'make-admin', person.username])
  return person
}

const account = (page: Page, username: string) => page.getByRole('button', { name: `Account of ${username}` })

test('a passkey is added, signs in alone, and no longer once it is removed', async ({
  server,
  page,
  context,
}) => {
  const person = (await server.newPerson('key')) as Person
  await signIn(context, server.url, person)
  const device = await givenDevice(page)
  await addPasskey(page, 'Work laptop')
  expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])

  await page.getByRole('button', { name: 'Rename Work laptop' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Home laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Remove Home laptop' })).toBeVisible()

  await signOut(page, person.username)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(account(page, person.username)).toBeVisible()

  await page.goto('/settings/sign-in')
  await page.getByRole('button', { name: 'Remove Home laptop' }).click()
  await expect(page.getByText('No passkeys yet')).toBeVisible()
  await signOut(page, person.username)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('This passkey was not accepted')
  await givePassword(page, person)
  await expect(account(page, person.username)).toBeVisible()
})

test('after the password comes the passkey, or a recovery code once', async ({
  server,
  page,
  context,
  browser,
}) => {
  const person = (await server.newPerson('two')) as Person
  await signIn(context, server.url, person)
  await givenDevice(page)
  const [code = ''] = await addPasskey(page, 'Phone')
  await signOut(page, person.username)

  await givePassword(page, person)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(account(page, person.username)).toBeVisible()

  // Another browser has no passkey of theirs.
  const other = await (await browser.newContext({ baseURL: server.url })).newPage()
  await givePassword(other, person)
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code').fill('2222-2222-2222-2222')
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByRole('alert')).toContainText('unknown or used')
  await other.getByLabel('Recovery code').fill(code)
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(account(other, person.username)).toBeVisible()
  await other.goto('/settings/sign-in')
  await expect(other.getByText('9 of 10 codes left')).toBeVisible()

  const third = await (await browser.newContext({ baseURL: server.url })).newPage()
  await givePassword(third, person)
  await third.getByRole('button', { name: 'Use a recovery code' }).click()
  await third.getByLabel('Recovery code').fill(code)
  await third.getByRole('button', { name: 'Continue' }).click()
  await expect(third.getByRole('alert')).toContainText('unknown or used')

  await other.getByRole('button', { name: 'Make new codes' }).click()
  await other.getByRole('button', { name: 'I have kept them' }).click()
  await expect(other.getByText('10 of 10 codes left')).toBeVisible()
  await other.context().close()
  await third.context().close()
})

test('the policy for admins asks for a passkey first, and opens administration with it', async ({
  server,
  page,
  context,
  browser,
}) => {
  // Not the admin of the server: once that one has a passkey, the password alone makes no more people for other tests.
  const [first, second] = [await newAdmin(server), await newAdmin(server)]
  await signIn(context, server.url, first)
  await givenDevice(page)
  await page.goto('/admin/policies')
  await page.getByLabel('Admins need a second factor').check()
  await expect(page.getByText('3 of 3 admins have none yet')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('Add a passkey to your own account first')
  await page.getByLabel('Admins need a second factor').uncheck()
  await addPasskey(page, 'Key')
  await page.goto('/admin/policies')
  await page.getByLabel('Admins need a second factor').check()
  await page.getByLabel('Longest life in days').fill('30')
  await expect(page.getByText('2 of 3 admins have none yet')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Policies saved')).toBeVisible()

  const theirs = await browser.newContext({ baseURL: server.url })
  const other = await theirs.newPage()
  await givenDevice(other)
  await givePassword(other, second)
  await expect(account(other, second.username)).toBeVisible()
  await other.goto('/admin/users')
  await expect(other.getByText('Set up a second factor first')).toBeVisible()
  await other.getByRole('link', { name: 'Go to sign-in methods' }).click()
  await expect(other.getByRole('alert')).toContainText('Admins of this server need a second factor')
  await addPasskey(other, 'Phone')
  await other.goto('/admin/users')
  await expect(other.getByRole('heading', { name: 'Users' })).toBeVisible()
  await theirs.close()
  await server.cli(['policy', 'reset'])
  // The server hears of it within two seconds.
  const admin = (await server.login()) as Caller
  await expect(async () => {
    await admin.native('GET', '/admin/users')
  }).toPass()
})

test('a grave change of an older session asks who it is, and then happens', async ({
  server,
  page,
  context,
}) => {
  const person = (await server.newPerson('late')) as Person
  await signIn(context, server.url, person)
  await givenDevice(page)
  await addPasskey(page, 'Key')
  for (const ns of ['first-org', 'second-org']) await person.native('POST', '/orgs', { ns })
  await outlast(server, person)
  const ask = async (ns: string) => {
    await page.goto(`/${ns}/settings`)
    await page.getByRole('button', { name: /Delete/ }).click()
    const confirm = page.getByRole('dialog').getByRole('textbox')
    if (await confirm.count()) await confirm.fill(ns)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Delete/ })
      .click()
  }
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await ask('first-org')
  await dialog.getByLabel('Current password').fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByRole('alert')).toContainText(/password/)
  await dialog.getByLabel('Current password').fill(person.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).not.toHaveURL(/first-org\/settings/)
  await expect(person.native('GET', '/namespaces/first-org')).rejects.toThrow('404')

  await outlast(server, person)
  await ask('second-org')
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).not.toHaveURL(/second-org\/settings/)
  await expect(person.native('GET', '/namespaces/second-org')).rejects.toThrow('404')
})

test('a session that is unused ends, and the pages say why', async ({ server, page, context }) => {
  const person = (await server.newPerson('idle')) as Person
  await server.cli(['user', 'make-admin', person.username])
  await expect(async () => {
    await person.native('PATCH', '/admin/policies', { session_idle_minutes: 30 })
  }).toPass()
  await signIn(context, server.url, person)
  await page.goto('/settings/tokens')
  await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeVisible()
  await age(server, 40)
  await expect(async () => {
    await expect(person.native('GET', '/me')).rejects.toThrow('session-idle')
  }).toPass()
  await page.goto('/settings/tokens')
  await expect(page.getByText('Signed out after 30 minutes without use.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('Signed out after 30 minutes without use.')
  await page.getByLabel('Username').fill(person.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeVisible()
  await server.cli(['policy', 'reset'])
})
