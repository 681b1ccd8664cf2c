import { generateKeyPairSync } from 'node:crypto'
import { expect, pressTwice, scriptOf, test, type Person } from './fixtures.ts'
import { narrow, wide } from './look.ts'
import { givePassword } from './sessions.ts'

test('a token is made with a scope and restricted to repos, shown once, and revoked', async ({
  page,
  newcomer,
  server,
}) => {
  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('laptop')
  await dialog.getByText('write', { exact: true }).click()
  await dialog.getByLabel('Only these namespaces').fill(newcomer.username)
  await page.keyboard.press('Enter')
  await pressTwice(dialog.getByRole('button', { name: 'Create' }))
  const secret =
    (await page
      .getByText(/^hf_asl_\w+$/)
      .first()
      .textContent()) ?? ''
  // All of it is in sight on a phone too, and the commands aim at this server.
  await page.setViewportSize(narrow)
  const shown = page.getByText(secret, { exact: true }).first()
  expect(await shown.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)
  await expect(shown).toBeInViewport({ ratio: 1 })
  await expect(dialog).toContainText(server.url)
  await expect(dialog).not.toContainText('huggingface.co')
  await page.setViewportSize(wide)
  const answer = await fetch(`${server.url}/api/service/v1/me`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(await answer.json()).toMatchObject({
    username: newcomer.username,
    auth: { kind: 'token', scopes: ['write'] },
  })
  const { items } = await newcomer.native<{ items: { namespaces: string[] }[] }>('GET', '/me/tokens')
  expect(items.map(({ namespaces }) => namespaces)).toEqual([[newcomer.username]])

  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(secret)).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke laptop' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New token' })).toBeFocused()
  const after = await fetch(`${server.url}/api/service/v1/me`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(after.status).toBe(401)
})

test('a token made with another is shown under it, and ends with it', async ({ page, newcomer, server }) => {
  const native = '/api/service/v1'
  const make = async (secret: string, name: string) => {
    const answer = await fetch(`${server.url}${native}/me/tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, scopes: ['read'] }),
    })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { secret: string }).secret
  }
  const { secret } = await newcomer.native<{ secret: string }>('POST', '/me/tokens', {
    name: 'pipeline',
    scopes: ['write'],
  })
  await newcomer.native('POST', '/me/tokens', { name: 'laptop', scopes: ['read'] })
  const child = await make(secret, 'step')
  const status = async () =>
    (await fetch(`${server.url}${native}/me`, { headers: { Authorization: `Bearer ${child}` } })).status
  expect(await status()).toBe(200)

  await page.goto('/settings/tokens')
  const rows = page.getByRole('row')
  await expect(rows.filter({ hasText: 'step' })).toContainText('Made with pipeline, ends with it')
  const names = await rows.allInnerTexts()
  const at = (name: string) => names.findIndex((text) => text.startsWith(name))
  expect(at('step')).toBe(at('pipeline') + 1)
  await expect(rows.filter({ hasText: 'laptop' })).not.toContainText('Made with')
  await page.getByRole('button', { name: 'Revoke pipeline' }).click()
  await expect(rows.filter({ hasText: 'step' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'laptop' })).toHaveCount(1)
  expect(await status()).toBe(401)
  const { items } = await newcomer.native<{ items: { name: string }[] }>('GET', '/me/tokens')
  expect(items.map(({ name }) => name)).toEqual(['laptop'])
})

test('the last sign-ins show the one just made, and the attempt that was refused', async ({
  page,
  server,
}) => {
  const person = (await server.newPerson('seen')) as Person
  await givePassword(page, { username: person.username, password: 'not the password at all' })
  await expect(page.getByRole('alert')).toBeVisible()
  await givePassword(page, person)
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await page.goto('/settings/sessions')
  const rows = page.getByRole('region', { name: 'Sign-ins' }).getByRole('row')
  // The head, both attempts of the page, and the sign-in of the program that made the account.
  await expect(rows).toHaveCount(4)
  for (const [i, outcome] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const) {
    await expect(rows.nth(i)).toContainText('password')
    await expect(rows.nth(i).getByText('refused')).toHaveCount(outcome ? 1 : 0)
  }
  await expect(rows.nth(1)).toContainText(/Chrom/)
  await expect(rows.nth(1)).toContainText('127.0.0.1')
  const { items } = await person.native<{ items: object[] }>('GET', '/me/sign-ins')
  expect(items).toMatchObject([
    { method: 'password', outcome: 'ok', ip: '127.0.0.1' },
    { method: 'password', outcome: 'refused' },
    { method: 'password', outcome: 'ok' },
  ])
  const sessions = page.getByRole('region', { name: 'Sessions', exact: true }).getByRole('row')
  await expect(sessions.filter({ hasText: 'this one' })).toHaveCount(1)
  await expect(sessions).toHaveCount(3)
})

/** A new public key as OpenSSH writes it (RFC 4253 §6.6, RFC 8709 §4). */
function publicKey(): string {
  const raw = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const parts = [Buffer.from('ssh-ed25519'), raw].flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return [length, part]
  })
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`
}

test('an ollama key is saved, refused when it is none, and deleted', async ({ page, newcomer }) => {
  await page.goto('/settings/ollama-keys')
  await page.getByRole('textbox', { name: 'Name' }).fill('gpu box')
  const key = page.getByRole('textbox', { name: 'Public key' })
  await key.fill('ssh-ed25519 nonsense')
  await page.getByRole('button', { name: 'Save key' }).click()
  await expect(key).toHaveAttribute('aria-invalid', 'true')
  await key.fill(publicKey())
  await page.getByRole('button', { name: 'Save key' }).click()
  await expect(page.getByRole('row', { name: /gpu box/ })).toContainText('never')
  const saved = () => newcomer.native<{ items: { name: string }[] }>('GET', '/me/ollama-keys')
  expect((await saved()).items).toMatchObject([{ name: 'gpu box' }])
  await page.getByRole('button', { name: 'Delete gpu box' }).click()
  await expect(page.getByText('No keys yet')).toBeVisible()
  expect((await saved()).items).toEqual([])
})

test('an answer about who was signed in that comes after signing out changes nothing', async ({
  page,
  newcomer,
}) => {
  await page.goto('/')
  const account = page.getByRole('button', { name: `Account of ${newcomer.username}` })
  await account.click()
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  await expect(signOut).toBeVisible()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let isAsked = false
  await page.route('**/api/service/v1/me', async (route) => {
    const response = await route.fetch()
    isAsked = true
    await held
    // The page may no longer want it.
    await route.fulfill({ response }).catch(() => undefined)
  })
  // As when a person comes back to the tab: the page asks whose it is.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => isAsked).toBe(true)
  await signOut.click()
  await expect(page.getByLabel('Username')).toBeVisible()
  release()
  await page.unrouteAll({ behavior: 'wait' })
  await page.evaluate(async () => {
    await fetch('/healthz')
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
  await expect(account).toHaveCount(0)
  await expect(page).toHaveURL(/\/login/)
})

test('another session is ended from here', async ({ page, newcomer, server }) => {
  const elsewhere = await server.login(newcomer.username, newcomer.password)
  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: 'End' }).first().click()
  await expect(page.getByRole('button', { name: 'End' })).toHaveCount(0)
  await expect(elsewhere.native('GET', '/me/sessions')).rejects.toThrow(/401/)
})

test('the password is changed; a wrong or weak one is an error at its field', async ({
  page,
  newcomer,
  server,
}) => {
  await page.goto('/settings/password')
  const current = page.getByRole('textbox', { name: 'Current password' })
  const next = page.getByRole('textbox', { name: 'New password' })
  await current.fill('not my password')
  await next.fill('orchid-lantern-kayak-77')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(current).toHaveAttribute('aria-invalid', 'true')
  await expect(current).toBeFocused()
  await current.fill(newcomer.password)
  await next.fill('password1234')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(next).toHaveAttribute('aria-invalid', 'true')
  await expect(next).toBeFocused()
  await next.fill('orchid-lantern-kayak-77')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await server.login(newcomer.username, 'orchid-lantern-kayak-77')
})

test('name and email are changed', async ({ page, newcomer }) => {
  await page.goto('/settings')
  await page.getByLabel('Display name').fill('Pat of the Page')
  await page.getByLabel('Email').fill(`${newcomer.username}@example.org`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  const me = await newcomer.native('GET', '/me')
  expect(me).toMatchObject({
    display_name: 'Pat of the Page',
    pending_email: `${newcomer.username}@example.org`,
  })
})

test('the theme is switched and kept without a flash', async ({ page, person }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`/${person.username}`)
  await page.getByRole('button', { name: 'Theme: as the system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const seen = document.documentElement.dataset['mantineColorScheme'] ?? 'none'
      sessionStorage.setItem('seen', `${sessionStorage.getItem('seen') ?? ''}${seen} `)
    })
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Theme: dark' })).toBeVisible()
  const seen = await page.evaluate(() => sessionStorage.getItem('seen'))
  expect(new Set(seen?.trim().split(' '))).toEqual(new Set(['dark']))
})

test('keys lead to the search, the palette and the list of keys', async ({ page, person }) => {
  await page.goto(`/${person.username}`)
  await expect(page.getByRole('heading', { name: person.username })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Search' }).fill('toke')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings/tokens')
  await page.getByRole('main').focus()
  await page.keyboard.press('Shift+?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
})

test('keys that come before the palette is there are not lost', async ({ page, person }) => {
  let answer = () => {}
  const isAwaited = new Promise<void>((resolve) => (answer = resolve))
  await page.route(scriptOf('app/search/palette.tsx'), async (route) => {
    await isAwaited
    await route.continue()
  })
  await page.goto(`/${person.username}`)
  await expect(page.getByRole('heading', { name: person.username })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tok')
  answer()
  await expect(page.getByRole('option', { name: 'Tokens' })).toBeVisible()
  await page.keyboard.type('ens')
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Search' })).toHaveValue('tokens')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings/tokens')
})
