import { freePort } from '../fixtures/server.mjs'
import { expect, signIn, testOn, type Caller, type Page, type Person, type Server } from './fixtures.ts'
import { expectNoFault } from './look.ts'
import { identityProvider } from './identity-provider.ts'
import { outlast } from './sessions.ts'
import { startReceiver } from './webhooks.ts'

const port = await freePort()
const provider = {
  id: 'corp',
  name: 'Corp',
  issuer: `http://127.0.0.1:${port}`,
  client_id: 'arsenal',
  client_secret: 'c4nary-secret',
  scopes: ['openid', 'profile', 'groups'],
  auto_create_users: true,
  admin_groups: ['chiefs'],
}

// Old sessions are waited for with a question about passkeys, which browsers allow on `localhost`.
const test = testOn(
  { 'oidc.providers': JSON.stringify([provider]), 'security.outbound_allow': 'webhook=127.0.0.1' },
  { host: 'localhost' },
)

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

async function confirm(page: Page, password: string) {
  await dialogOf(page).getByLabel('Current password').fill(password)
  await dialogOf(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(dialogOf(page)).toHaveCount(0)
}

async function givenAdmin(server: Server): Promise<Person> {
  const chief = (await server.newPerson('chief')) as Person
  await server.cli(['user', 'make-admin', chief.username])
  await expect.poll(() => chief.native('GET', '/me')).toMatchObject({ is_admin: true })
  return chief
}

async function act(page: Page, username: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${username}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

const isAdmin = async (person: Caller) => (await person.native<{ is_admin: boolean }>('GET', '/me')).is_admin

test('an old session makes and removes an admin once the password is given', async ({
  page,
  context,
  server,
}) => {
  const [chief, person] = [await givenAdmin(server), (await server.newPerson('vice')) as Person]
  const { username } = person
  await signIn(context, server.url, chief)
  await outlast(server, chief)
  await page.goto(`/admin/users?q=${username}`)
  const badge = page.getByRole('row').filter({ hasText: username }).getByText('admin', { exact: true })
  await act(page, username, 'Make an admin')
  await expect(dialogOf(page)).toBeVisible()
  await expectNoFault(page)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(badge).toHaveCount(0)
  expect(await isAdmin(person)).toBe(false)

  await act(page, username, 'Make an admin')
  await dialogOf(page).getByLabel('Current password').fill('not the password')
  await dialogOf(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(dialogOf(page).getByRole('alert')).toContainText(/password/)
  expect(await isAdmin(person)).toBe(false)
  await confirm(page, chief.password)
  await expect(badge).toBeVisible()
  await expect.poll(() => isAdmin(person)).toBe(true)

  await outlast(server, chief)
  await act(page, username, 'Remove as admin')
  await confirm(page, chief.password)
  await expect(badge).toHaveCount(0)
  await expect.poll(() => isAdmin(person)).toBe(false)
  // The proof holds for ten minutes.
  await act(page, username, 'Make an admin')
  await expect(badge).toBeVisible()
})

test('an old session shows a secret once the password is given: a reset link, an admin token, a webhook’s', async ({
  page,
  context,
  server,
}) => {
  const [chief, person] = [await givenAdmin(server), (await server.newPerson('sam')) as Person]
  await signIn(context, server.url, chief)
  await outlast(server, chief)
  await page.goto(`/admin/users?q=${person.username}`)
  await act(page, person.username, 'Make a reset link')
  await expect(dialogOf(page)).toBeVisible()
  await expect(page.getByLabel('Link', { exact: true })).toHaveCount(0)
  await confirm(page, chief.password)
  await expect(page.getByLabel('Link', { exact: true })).toContainText(`${server.url}/links/`)

  await outlast(server, chief)
  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).first().click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('for upkeep')
  await form.getByText('admin', { exact: true }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, chief.password)
  const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? ''
  const answer = await fetch(`${server.url}/api/service/v1/admin/overview`, {
    headers: { Authorization: `Bearer ${secret}` },
  })
  expect(answer.status).toBe(200)

  const receiver = await startReceiver()
  const { id } = await chief.native<{ id: string }>('POST', '/webhooks', {
    url: receiver.url,
    watched: [{ ns: chief.username }],
    events: ['repo'],
    secret: 'the-first-secret-of-the-webhook',
    secret_header: true,
  })
  await outlast(server, chief)
  await page.goto(`/settings/webhooks/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit webhook' })
  await edit.getByLabel('Secret', { exact: true }).fill('another-secret-of-the-webhook')
  await edit.getByRole('button', { name: 'Save' }).click()
  await confirm(page, chief.password)
  await expect(edit).toHaveCount(0)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  expect(receiver.received[0]?.headers['x-webhook-secret']).toBe('another-secret-of-the-webhook')
  receiver.stop()
})

/** The one whose session a page carries, as a caller of the native API. */
const callerOf = (page: Page): Pick<Caller, 'native'> => ({
  native: async (method, path) => {
    const me = (await (await page.request.get('/api/service/v1/me')).json()) as { csrf_token: string }
    const headers = { 'X-CSRF-Token': me.csrf_token, Origin: new URL(page.url()).origin }
    const answer = await page.request.fetch(`/api/service/v1${path}`, { method, headers })
    if (!answer.ok()) throw new Error(await answer.text())
    return answer.json()
  },
})

test('an account without a password confirms itself with its provider, in another tab', async ({
  browser,
  server,
}) => {
  const corp = identityProvider(port, () => [`${server.url}/auth/oidc/corp/callback`])
  await corp.start()
  corp.accounts.set('ada', { preferred_username: 'ada', groups: ['chiefs'] })
  const person = (await server.newPerson('vice')) as Person
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const sayWho = async (tab: Page) => {
    await tab.getByLabel('Subject').fill('ada')
    await tab.getByRole('button', { name: 'Continue' }).click()
  }
  await page.goto('/login')
  await page.getByRole('link', { name: 'Continue with Corp' }).click()
  await sayWho(page)
  await expect(page.getByRole('button', { name: 'Account of ada' })).toBeVisible()
  await outlast(server, callerOf(page))

  await page.goto(`/admin/users?q=${person.username}`)
  await act(page, person.username, 'Make an admin')
  await expect(dialogOf(page).getByLabel('Current password')).toHaveCount(0)
  // Who has not signed in again is asked still.
  await dialogOf(page).getByRole('button', { name: 'I have signed in again' }).click()
  await expect(dialogOf(page).getByRole('alert')).toContainText('You have not signed in again yet')
  expect(await isAdmin(person)).toBe(false)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in with Corp in another tab' }).click()
  const tab = await opened
  await sayWho(tab)
  await expect(tab.getByRole('heading', { name: 'Sign-in methods' })).toBeVisible()
  await tab.close()
  await dialogOf(page).getByRole('button', { name: 'I have signed in again' }).click()
  await expect(dialogOf(page)).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: person.username })
  await expect(row.getByText('admin', { exact: true })).toBeVisible()
  await expect.poll(() => isAdmin(person)).toBe(true)
  await context.close()
  await corp.stop()
})
