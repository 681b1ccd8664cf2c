import { expect, fresh, test } from './fixtures.ts'
import { startReceiver } from './webhooks.ts'

test('an organisation is made, its members get roles, and it ends', async ({ page, person, stranger }) => {
  const ns = fresh('acme')
  await page.goto('/orgs/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(ns)
  await page.getByLabel('Display name').fill('Acme Research')
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await expect(page.getByRole('heading', { name: 'Acme Research' })).toBeVisible()

  await page.getByRole('link', { name: 'Organisation settings' }).click()
  await page.getByLabel('Username').fill(stranger.username)
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByLabel(`Role of ${stranger.username}`).selectOption('read')
  const roleOf = async (user: string) =>
    (await person.native<{ role: string }>('GET', `/orgs/${ns}/members/${user}`)).role
  await expect.poll(() => roleOf(stranger.username)).toBe('read')

  await page.getByRole('button', { name: `Remove ${person.username}` }).click()
  await expect(page.getByText('At least one admin must remain').first()).toBeVisible()
  await page.getByRole('button', { name: `Remove ${stranger.username}` }).click()
  await expect(page.getByLabel(`Role of ${stranger.username}`)).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete this organisation' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(ns)
  await page.getByRole('button', { name: 'Delete organisation' }).click()
  await expect(page).toHaveURL('/')
  await expect(person.native('GET', `/namespaces/${ns}`)).rejects.toThrow(/404/)
})

test('a repo is created in an organisation from its profile', async ({ page, person }) => {
  const ns = fresh('lab')
  await person.native('POST', '/orgs', { ns })
  await page.goto(`/${ns}`)
  await page.getByRole('link', { name: 'New dataset' }).click()
  await expect(page.getByLabel('Owner')).toHaveValue(ns)
  await page.getByRole('textbox', { name: 'Name' }).fill('iris')
  await page.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page).toHaveURL(`/datasets/${ns}/iris`)
})

test('the profile of an organisation is changed, and a webhook watches all its repos', async ({
  page,
  person,
}) => {
  const ns = fresh('lab')
  await person.native('POST', '/orgs', { ns })
  const receiver = await startReceiver()
  await page.goto(`/${ns}/settings`)
  await page.getByLabel('Display name').fill('The lab')
  await page.getByLabel('What it does').fill('Makes small models.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  expect(await person.native('GET', `/namespaces/${ns}`)).toMatchObject({
    display_name: 'The lab',
    bio: 'Makes small models.',
  })

  await page.getByRole('link', { name: 'Webhooks of this organisation' }).click()
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByLabel('Address').fill(receiver.url)
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog', { name: 'Webhook created' }).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible()
  await person.native('POST', '/repos', { type: 'model', ns, name: 'tiny' })
  await expect.poll(() => receiver.received.map(({ body }) => body).join()).toContain(`${ns}/tiny`)
  receiver.stop()
})
