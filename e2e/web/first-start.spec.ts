import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../fixtures/server.mjs'
import { expect, signIn, test, type Caller } from './fixtures.ts'
import { expectNoFault, lookAt } from './look.ts'

const password = 'brisk-heron-vault-77'

test('the first admin chooses a password, and each of the first steps is ticked once it is done', async ({
  browser,
}) => {
  const server = await startServer({ 'security.bootstrap_admin.password': '' })
  try {
    const file = join(server.dir, 'bootstrap-admin-password')
    const generated = readFileSync(file, 'utf8').trim()
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    await page.goto('/login')
    await page.getByRole('textbox', { name: /Username/ }).fill('service-admin')
    await page.locator('input[type=password]').fill(generated)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()

    const list = page.getByRole('region', { name: 'Set up this server' })
    await list.getByRole('link', { name: 'Choose a password of your own' }).click()
    await page.getByLabel('Current password').fill(generated)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed')).toBeVisible()
    expect(existsSync(file)).toBe(false)

    const home = () => page.getByRole('link', { name: 'Arsenal, home' }).click()
    const done = (step: string) => list.getByText(`${step} (done)`)
    const steps = {
      password: 'Choose a password of your own',
      people: 'Add people',
      token: 'Make a token for command lines and scripts',
      upload: 'Create a repo and upload the first file',
    }
    // The list ends with the command of the first download, which asks this server.
    const command = list.getByText(`export HF_ENDPOINT=${server.url}`)
    await home()
    await expect(done(steps.password)).toBeVisible()
    await expect(command).toContainText('hf download service-admin/my-model')
    for (const step of [steps.people, steps.token, steps.upload])
      await expect(list.getByRole('link', { name: step })).toBeVisible()
    await expectNoFault(page)

    await list.getByRole('link', { name: steps.people }).click()
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'Username' }).fill('grace')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await home()
    await expect(done(steps.people)).toBeVisible()

    await list.getByRole('link', { name: steps.token }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    await home()
    await expect(done(steps.token)).toBeVisible()

    await list.getByRole('link', { name: steps.upload }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('tiny')
    await page.getByRole('button', { name: 'Create model' }).click()
    await expect(page).toHaveURL('/service-admin/tiny')
    // A repo without a file of its own is half of the step.
    await home()
    await expect(done(steps.token)).toBeVisible()
    await expect(list.getByRole('link', { name: steps.upload })).toBeVisible()
    await page.goto('/service-admin/tiny/upload/main')
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'config.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await page.getByLabel('Commit title').fill('Add the config')
    await page.getByRole('button', { name: 'Upload the file' }).click()
    await expect(page).toHaveURL('/service-admin/tiny/tree/main')
    await home()
    await expect(done(steps.upload)).toBeVisible()
    await expect(command).toContainText('hf download service-admin/tiny')
    await expect(list.getByRole('link', { name: 'Download it with hf download' })).toHaveAttribute(
      'href',
      '/service-admin/tiny',
    )
    await lookAt(page, { 'first-start': '/' }, () => expect(command).toBeVisible())

    const admin = await server.login('service-admin', password)
    expect(await admin.native('GET', '/repos/models/service-admin/tiny')).toMatchObject({ file_count: 3 })
    const fetched = await fetch(`${server.url}/service-admin/tiny/resolve/main/config.json`, {
      headers: { Authorization: `Bearer ${secret}` },
    })
    expect(await fetched.text()).toBe('{}')
    // With the last step the list goes.
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Trending' })).toBeVisible()
      await expect(list).toHaveCount(0, { timeout: 2000 })
    }).toPass()
  } finally {
    await server.stop()
  }
})

test('the list of first steps is closed for good', async ({ browser }) => {
  const server = await startServer()
  try {
    const admin = await server.login()
    const context = await browser.newContext({ baseURL: server.url })
    await signIn(context, server.url, admin as Caller)
    const page = await context.newPage()
    await page.goto('/')
    const list = page.getByRole('region', { name: 'Set up this server' })
    await list.getByRole('button', { name: 'Close the list' }).click()
    await expect(list).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Trending' })).toBeVisible()
    await expect(list).toHaveCount(0)
  } finally {
    await server.stop()
  }
})

test('who closes the list is still asked for a password, and may put it off', async ({ browser }) => {
  const server = await startServer({ 'security.bootstrap_admin.password': '' })
  try {
    const generated = readFileSync(join(server.dir, 'bootstrap-admin-password'), 'utf8').trim()
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    await page.goto('/login')
    await page.getByRole('textbox', { name: /Username/ }).fill('service-admin')
    await page.locator('input[type=password]').fill(generated)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Close the list' }).click()
    const asked = page.getByRole('alert').filter({ hasText: 'Choose a password of your own' })
    await expect(asked.getByRole('link', { name: 'Choose a password' })).toHaveAttribute(
      'href',
      '/settings/password',
    )
    await asked.getByRole('button', { name: 'Later' }).click()
    await expect(asked).toHaveCount(0)
  } finally {
    await server.stop()
  }
})
