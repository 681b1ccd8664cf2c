import { expect, test, type Browser, type Page } from '@playwright/test'
import { freePort, startServer } from '../fixtures/server.mjs'
import { signIn, type Caller, type Person } from './fixtures.ts'
import { identityProvider, type IdentityProvider } from './identity-provider.ts'
import { expectNoFault, lookAt } from './look.ts'

type Server = Awaited<ReturnType<typeof startServer>>

let server: Server
let strict: Server
let corp: IdentityProvider
let partner: IdentityProvider
let admin: Caller

const providerOf = (id: string, name: string, issuer: string, more = {}) => ({
  id,
  name,
  issuer,
  client_id: 'arsenal',
  client_secret: 'c4nary-secret',
  scopes: ['openid', 'profile', 'email', 'groups'],
  ...more,
})

// One after the other: the first finds the providers down.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  corp = identityProvider(await freePort(), () =>
    [server, strict].map(({ url }) => `${url}/auth/oidc/corp/callback`),
  )
  partner = identityProvider(await freePort(), () => [`${server.url}/auth/oidc/partner/callback`])
  const mappings = {
    auto_create_users: true,
    admin_groups: ['chiefs'],
    org_mappings: [
      { group: 'lab', org: 'the-lab', role: 'write' },
      { group: 'readers', org: 'the-lab', role: 'read' },
    ],
  }
  const providers = [
    providerOf('corp', 'Corp', corp.issuer, mappings),
    providerOf('partner', 'Partner', partner.issuer),
  ]
  server = await startServer({ 'oidc.providers': JSON.stringify(providers) })
  strict = await startServer({
    'oidc.providers': JSON.stringify([providerOf('corp', 'Corp', corp.issuer)]),
    'security.local_login': 'false',
    'security.registration': 'open',
  })
  admin = (await server.login()) as Caller
})

test.afterAll(async () => {
  for (const each of [corp, partner]) await each.stop()
  for (const each of [server, strict]) await each.stop()
})

async function freshPage(browser: Browser, url = server.url): Promise<Page> {
  return (await browser.newContext({ baseURL: url })).newPage()
}

/** Chooses a provider on the page and says there who one is, unless it knows. */
async function signInWith(page: Page, provider: string, subject: string) {
  await page.getByRole('link', { name: `Continue with ${provider}` }).click()
  await page.getByLabel('Subject').fill(subject)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const me = async (page: Page) =>
  (await page.request.get('/api/service/v1/me')).json() as Promise<Record<string, unknown>>

async function signInByPassword(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
}

test('providers that are down at start leave sign-in by password alone, and come back by themselves', async ({
  browser,
}) => {
  const page = await freshPage(browser)
  await page.goto('/login?next=%2Fmodels')
  await page.getByRole('link', { name: 'Continue with Corp' }).click()
  await expect(page.getByRole('heading', { name: 'The sign-in provider does not answer' })).toBeVisible()
  await expect(page.getByText('Request id:')).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoFault(page)
  }
  await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
  const person = (await server.newPerson('ann')) as Person
  await signInByPassword(page, person)
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()

  await corp.start()
  await partner.start()
  corp.accounts.set('ada', { preferred_username: 'Ada.L', name: 'Ada Lovelace', groups: ['lab', 'chiefs'] })
  const other = await freshPage(browser)
  await expect(async () => {
    await other.goto('/login?next=%2Fdatasets')
    await other.getByRole('link', { name: 'Continue with Corp' }).click()
    await expect(other.getByLabel('Subject')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await other.getByLabel('Subject').fill('ada')
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other).toHaveURL(`${server.url}/datasets`)
  await expect(other.getByRole('button', { name: 'Account of ada.l' })).toBeVisible()
  expect(await me(other)).toMatchObject({
    username: 'ada.l',
    display_name: 'Ada Lovelace',
    is_admin: true,
    orgs: [{ ns: 'the-lab', role: 'write' }],
  })
})

test('groups that come and go are applied at the next sign-in', async ({ browser }) => {
  const sign = async (groups: string[]) => {
    corp.accounts.set('ada', { preferred_username: 'ada', groups })
    const page = await freshPage(browser)
    await page.goto('/login')
    await signInWith(page, 'Corp', 'ada')
    await expect(page.getByRole('button', { name: 'Account of ada.l' })).toBeVisible()
    return me(page)
  }
  expect(await sign(['readers'])).toMatchObject({ is_admin: false, orgs: [{ ns: 'the-lab', role: 'read' }] })
  expect(await sign([])).toMatchObject({ is_admin: false, orgs: [] })
  expect(await sign(['lab', 'readers'])).toMatchObject({ orgs: [{ ns: 'the-lab', role: 'write' }] })
})

test('a provider that makes no accounts says who it was; an invite then lets them in', async ({
  browser,
}) => {
  partner.accounts.set('grace', { preferred_username: 'grace', name: 'Grace Hopper' })
  const page = await freshPage(browser)
  await page.goto('/login')
  await signInWith(page, 'Partner', 'grace')
  await expect(page.getByRole('heading', { name: 'You have no account on this server' })).toBeVisible()
  await expect(page.getByRole('definition')).toHaveText(['Partner', 'grace', 'grace'])
  const { items } = await admin.native<{ items: Record<string, unknown>[] }>(
    'GET',
    '/admin/audit?action=login.fail',
  )
  expect(items[0]).toMatchObject({ outcome: 'refused', after: { provider: 'partner', reason: 'no-account' } })

  const { url } = await admin.native<{ url: string }>('POST', '/admin/invites', { note: 'Welcome, Grace' })
  await page.goto(url)
  await expect(page.getByText('Welcome, Grace')).toBeVisible()
  await page.getByRole('link', { name: 'Continue with Partner' }).click()
  await expect(page.getByRole('button', { name: 'Account of grace' })).toBeVisible()
  expect(await me(page)).toMatchObject({
    username: 'grace',
    display_name: 'Grace Hopper',
    has_password: false,
  })
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('an account is connected to a provider, signs in with it, and is disconnected', async ({ browser }) => {
  const person = (await server.newPerson('con')) as Person
  partner.accounts.set('connie', { preferred_username: 'connie' })
  const page = await freshPage(browser)
  await page.goto('/login?next=%2Fsettings%2Fsign-in')
  await signInByPassword(page, person)
  await page.getByRole('button', { name: 'Connect Partner' }).click()
  await page.getByLabel('Subject').fill('connie')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Disconnect Partner' })).toBeVisible()

  const other = await freshPage(browser)
  await other.goto('/login')
  await signInWith(other, 'Partner', 'connie')
  await expect(other.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()

  await page.getByRole('button', { name: 'Disconnect Partner' }).click()
  await expect(page.getByRole('button', { name: 'Connect Partner' })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
})

test('a provider that fails midway is said to, and its keys may change', async ({ browser }) => {
  const page = await freshPage(browser)
  corp.isBroken = true
  await page.goto('/login')
  await signInWith(page, 'Corp', 'ada')
  await expect(page.getByRole('heading', { name: 'The sign-in provider does not answer' })).toBeVisible()
  corp.isBroken = false

  // It stops between the start of a sign-in and the answer that the browser brings.
  const other = await freshPage(browser)
  corp.isLeaving = true
  await other.goto('/login')
  await signInWith(other, 'Corp', 'ada')
  await expect(other.getByRole('heading', { name: 'The sign-in provider does not answer' })).toBeVisible()
  await expect(other.getByText('Request id:')).toBeVisible()
  expect(new URL(other.url()).pathname).toBe('/auth/oidc/corp/callback')
  expect((await other.request.get('/api/service/v1/me')).status()).toBe(204)
  const { items } = await admin.native<{ items: Record<string, unknown>[] }>(
    'GET',
    '/admin/audit?action=login.fail',
  )
  expect(items[0]).toMatchObject({ outcome: 'refused', after: { provider: 'corp', reason: 'provider-down' } })
  // The same answer, brought again, is not one that this browser waits for.
  await other.reload()
  await expect(other.getByRole('link', { name: 'Go to the sign-in page' })).toBeVisible()
  expect((await other.request.get('/api/service/v1/me')).status()).toBe(204)
  corp.isLeaving = false

  await corp.start()
  // The keys are read again at most once a minute.
  await expect(async () => {
    const again = await freshPage(browser)
    await again.goto('/login')
    await signInWith(again, 'Corp', 'ada')
    await expect(again.getByRole('button', { name: 'Account of ada.l' })).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 120_000, intervals: [5000] })
})

test('an admin lists those who sign in with one provider', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  await signIn(context, server.url, admin)
  const page = await context.newPage()
  await page.goto('/admin/users')
  await expect(page.getByRole('row').filter({ hasText: 'service-admin' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Which users' }).click()
  await page.getByRole('option', { name: 'Signs in with Partner' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'service-admin' })).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'grace' })).toContainText('partner')
  await expect(page).toHaveURL('/admin/users?kind=provider%3Apartner')
})

test('without local login there is no form but for the bootstrap admin, who invites people', async ({
  browser,
}) => {
  const page = await freshPage(browser, strict.url)
  await lookAt(page, {
    'login-without-passwords': '/login',
    'login-local': '/auth/login?local=1',
    'register-without-passwords': '/register',
  })
  await expect(page.getByRole('heading', { name: 'Sign in with a provider' })).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveCount(0)
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Continue with Corp' })).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
  await page.goto('/auth/login?local=1')
  await signInByPassword(page, { username: 'someone', password: 'not the password' })
  await expect(page.getByRole('alert')).toContainText('switched off here')
  await signInByPassword(page, { username: 'service-admin', password: 'correct horse battery staple' })
  await expect(page.getByRole('button', { name: 'Account of service-admin' })).toBeVisible()

  await page.goto('/admin/users')
  await expect(page.getByRole('button', { name: 'New user' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Invite people' }).click()
  await page.getByRole('button', { name: 'New invite' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('Welcome to the lab')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const url = await page.getByLabel('Link', { exact: true }).innerText()
  const theirs = await freshPage(browser, strict.url)
  corp.accounts.set('mary', { preferred_username: 'mary', name: 'Mary Somerville' })
  await theirs.goto(url)
  await expect(theirs.getByText('Sign in with a provider to make your account.')).toBeVisible()
  await expect(theirs.getByRole('textbox', { name: 'Password' })).toHaveCount(0)
  await signInWith(theirs, 'Corp', 'mary')
  await expect(theirs.getByRole('button', { name: 'Account of mary' })).toBeVisible()
  expect(await me(theirs)).toMatchObject({ username: 'mary', has_password: false })
  await theirs.goto('/settings/password')
  await expect(theirs.getByText('You sign in with an external provider')).toBeVisible()

  await page.goto('/admin/users?q=mary')
  await page.getByRole('button', { name: 'Actions for mary' }).click()
  await page.getByRole('menuitem', { name: 'Make a reset link' }).click()
  await expect(page.getByText('switched off here')).toBeVisible()
})

test('of two browsers that redeem one link, one wins', async ({ browser }) => {
  const { url } = await admin.native<{ url: string }>('POST', '/admin/invites', {})
  const both = await Promise.all([freshPage(browser), freshPage(browser)])
  for (const [i, page] of both.entries()) {
    await page.goto(url)
    await page.getByLabel('Username').fill(`racer-${i}-${Date.now()}`)
    await page.getByRole('textbox', { name: 'Password' }).fill('brisk-heron-vault-77')
  }
  await Promise.all(both.map((page) => page.getByRole('button', { name: 'Create account' }).click()))
  const won = (page: Page) => page.getByRole('heading', { name: 'Your account is ready' })
  const lost = (page: Page) => page.getByRole('alert').filter({ hasText: 'A link works once' })
  for (const page of both) await expect(won(page).or(lost(page))).toBeVisible()
  const counts = await Promise.all(
    both.map(async (page) => [await won(page).count(), await lost(page).count()]),
  )
  expect(counts.toSorted()).toEqual([
    [0, 1],
    [1, 0],
  ])
})
