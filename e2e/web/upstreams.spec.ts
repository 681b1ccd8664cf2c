import { hubClient } from '../bench/seed.mjs'
import { startServer } from '../fixtures/server.mjs'
import { givenOwner, startPair } from '../mirrors/upstream.mjs'
import { expect as quickly, fresh, signIn, test, type Caller, type Page } from './fixtures.ts'
import { lookAt, shoot } from './look.ts'

/** A check asks another server, and takes its time on a busy machine. */
const expect = quickly.configure({ timeout: 30_000 })
test.setTimeout(180_000)

interface Upstream {
  id: string
  name: string
  base_url: string
  viewer_url: string
  namespace_prefix: string
  enabled: boolean
  has_instance_token: boolean
  healthy?: boolean
  checked_at?: string
}

interface Admin {
  native: <T>(method: string, path: string) => Promise<T>
}

const upstreamOf = async (admin: Admin, id: string) =>
  (await admin.native<{ items: Upstream[] }>('GET', '/admin/upstreams')).items.find((one) => one.id === id)

const cardOf = (page: Page, name: string) => page.getByRole('region', { name: `${name} (` })

test('an admin adds an upstream, checks it, changes it and deletes it', async ({
  page,
  context,
  admin,
  server,
}) => {
  const upstream = await startServer()
  try {
    const owner = await givenOwner(upstream)
    await hubClient(upstream.url, owner.secret).create(`${owner.username}/listed`)
    const id = fresh('partner')
    await signIn(context, server.url, admin)
    await page.goto('/admin/upstreams')
    const nav = page.getByRole('navigation', { name: 'Administration' })
    await expect(nav.getByRole('link', { name: 'Upstreams' })).toHaveAttribute('aria-current', 'page')
    await page.getByRole('button', { name: 'Add an upstream' }).click()
    const form = page.getByRole('dialog', { name: 'Add an upstream' })
    await form.getByLabel('Id').fill('Not An Id')
    await form.getByLabel('Base URL').fill('not an address')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(form.getByLabel('Id')).toHaveAttribute('aria-invalid', 'true')
    await form.getByLabel('Id').fill('huggingface')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(form.getByText('There is an upstream huggingface already.')).toBeVisible()
    await expect(form.getByLabel('Id')).toBeFocused()
    await form.getByLabel('Id').fill(id)
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(form.getByText('must be an address such as https://hub.example')).toBeVisible()
    await expect(form.getByLabel('Base URL')).toBeFocused()
    await form.getByLabel('Base URL').fill(upstream.url)
    await form.getByLabel('Name', { exact: true }).fill(`Hub ${id}`)
    await form.getByLabel('Namespace prefix').fill('no spaces')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(form.getByLabel('Namespace prefix')).toHaveAttribute('aria-invalid', 'true')
    await form.getByLabel('Namespace prefix').fill('near-')
    await form.getByLabel('Token').fill('wrong-token-canary')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(form).toHaveCount(0)
    expect(await upstreamOf(admin, id)).toMatchObject({
      name: `Hub ${id}`,
      base_url: upstream.url,
      namespace_prefix: 'near-',
      enabled: true,
      has_instance_token: true,
    })

    const card = cardOf(page, `Hub ${id}`)
    await expect(card).toContainText('added by an admin')
    await expect(card).toContainText('Not checked yet')
    await card.getByRole('button', { name: `Check now: Hub ${id}` }).click()
    await expect(card).toContainText('It does not work, checked')
    await expect(card.getByRole('row').nth(1)).toContainText('The upstream refuses the token. Set a new one.')
    await expect(card.getByRole('row', { name: /Connection/ })).toContainText(/It answers in \d+ ms/)
    await expect(card.getByRole('row', { name: /Git/ })).toContainText('It shows no repo')

    await card.getByRole('button', { name: `Edit Hub ${id}` }).click()
    const edit = page.getByRole('dialog', { name: `Edit Hub ${id}` })
    await expect(edit.getByLabel('Token', { exact: true })).toHaveValue('')
    await edit.getByLabel('Token', { exact: true }).fill(owner.secret)
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(edit).toHaveCount(0)
    await expect(card).toContainText('Not checked yet')
    await card.getByRole('button', { name: `Check now: Hub ${id}` }).click()
    await expect(card).toContainText('It works, checked')
    await expect(card).toContainText(`The token is ${owner.username}'s.`)
    await expect(card.getByRole('row', { name: /Git/ })).toContainText('Its git addresses answer.')
    expect(await upstreamOf(admin, id)).toMatchObject({ healthy: true })
    expect(await page.content()).not.toContain(owner.secret)

    await card.getByRole('button', { name: `Edit Hub ${id}` }).click()
    await edit.getByLabel('Dataset viewer URL').fill('https://viewer.example')
    await edit.getByLabel('Remove the token').check()
    await edit.getByLabel('Enabled').uncheck()
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(card.getByText('disabled', { exact: true })).toBeVisible()
    expect(await upstreamOf(admin, id)).toMatchObject({
      viewer_url: 'https://viewer.example',
      enabled: false,
      has_instance_token: false,
    })
    await card.getByRole('button', { name: `Edit Hub ${id}` }).click()
    await edit.getByLabel('Dataset viewer URL').fill('')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(card).not.toContainText('https://viewer.example')
    // A number has no subdomain, so the viewer of this hub is at its own address.
    expect(await upstreamOf(admin, id)).toMatchObject({ viewer_url: upstream.url })

    await card.getByRole('button', { name: `Delete Hub ${id}` }).click()
    const question = page.getByRole('dialog', { name: `Delete Hub ${id}` })
    await question.getByRole('button', { name: 'Keep it' }).click()
    expect(await upstreamOf(admin, id)).toBeDefined()
    await card.getByRole('button', { name: `Delete Hub ${id}` }).click()
    await question.getByRole('button', { name: 'Delete upstream' }).click()
    await expect(card).toHaveCount(0)
    expect(await upstreamOf(admin, id)).toBeUndefined()
  } finally {
    await upstream.stop()
  }
})

test('an upstream of the configuration can be checked, and not changed', async ({ browser }) => {
  const { upstream, server, stop } = await startPair()
  try {
    const context = await browser.newContext({ baseURL: server.url })
    await signIn(context, server.url, (await server.login()) as Caller)
    const page = await context.newPage()
    await page.goto('/admin/upstreams')
    const card = cardOf(page, 'near')
    await expect(card).toContainText('from the configuration')
    await expect(card).toContainText('Read-only here. To change it, set the keys upstreams.near.*')
    await expect(card.getByRole('button')).toHaveText(['Check now'])
    await expect(page.getByRole('heading', { name: 'No admin has added an upstream yet' })).toBeVisible()
    await card.getByRole('button', { name: 'Check now: near' }).click()
    await expect(card).toContainText('It works, checked')
    await upstream.stop()
    await card.getByRole('button', { name: 'Check now: near' }).click()
    await expect(card).toContainText('It does not work, checked')
    await expect(card.getByRole('row', { name: /Connection/ })).toContainText('failed')
  } finally {
    await stop()
  }
})

test('the page of upstreams holds in both themes and on a narrow screen', async ({
  page,
  context,
  admin,
  server,
}) => {
  const upstream = await startServer()
  try {
    const id = fresh('partner')
    await admin.native('POST', '/admin/upstreams', {
      id,
      name: 'Partner hub',
      base_url: upstream.url,
      token: 'wrong',
      namespace_prefix: 'partner-',
    })
    await admin.native('POST', `/admin/upstreams/${id}/check`)
    await signIn(context, server.url, admin)
    await lookAt(page, { upstreams: '/admin/upstreams' })
    await page.getByRole('button', { name: 'Edit Partner hub' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit Partner hub' })).toBeVisible()
    await shoot(page, 'upstreams-dialog-dark-390')
  } finally {
    await upstream.stop()
  }
})
