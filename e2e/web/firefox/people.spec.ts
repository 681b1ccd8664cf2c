import { givenPull } from '../community.ts'
import { expect, givenRepo, signIn, test } from '../fixtures.ts'
import { type, typeValue } from './typing.ts'

const native = '/api/service/v1'
/** The public client that huggingface_hub names itself. */
const clientId = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'

test('a pull request is opened on the page, reviewed on a line and merged', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { files: { 'train.py': 'rate = 0.1\nsteps = 100\n' } })
  await signIn(context, server.url, stranger)
  await page.goto(`${repo.page}/new/main`)
  await typeValue(page.getByLabel('File name'), 'notes.txt')
  await type(page.getByLabel('Text'), 'one')
  await typeValue(page.getByLabel('Commit title'), 'Add notes')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)
  const num = await givenPull(stranger, repo, 'Train longer', { 'train.py': 'rate = 0.1\nsteps = 900\n' })

  await signIn(context, server.url, person)
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const file = page.getByRole('region', { name: 'train.py' })
  await expect(file.locator('mark')).toHaveText(['100', '900'])
  await file.getByRole('button', { name: 'Comment on line 2 of the new file' }).focus()
  await page.keyboard.press('Enter')
  await type(page.getByRole('textbox', { name: 'Comment on line 2' }), 'Why so many?')
  await page.keyboard.press('Control+Enter')
  await expect(file.getByRole('article')).toContainText('Why so many?')

  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Conversation' })
    .click()
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await expect(page.getByRole('heading', { name: 'Merged into main', exact: true })).toBeVisible()
  const merged = await fetch(`${server.url}${repo.page}/resolve/main/train.py`)
  expect(await merged.text()).toBe('rate = 0.1\nsteps = 900\n')
})

test('a token is made, shown once, copied and revoked', async ({ page, newcomer, server }) => {
  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await typeValue(dialog.getByRole('textbox', { name: 'Name' }), 'laptop')
  await dialog.getByText('write', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  const shown = page.getByText(/^hf_asl_\w+$/).first()
  const secret = (await shown.textContent()) ?? ''
  const asWhom = () => fetch(`${server.url}${native}/me`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await (await asWhom()).json()).toMatchObject({
    username: newcomer.username,
    auth: { kind: 'token', scopes: ['write'] },
  })
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(secret)).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke laptop' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  expect((await asWhom()).status).toBe(401)
})

test('a device code is approved on the page, and the device has its token', async ({
  page,
  person,
  server,
}) => {
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const asked = await fetch(`${server.url}/oauth/device`, { ...form, body: `client_id=${clientId}` })
  const { user_code, device_code } = (await asked.json()) as { user_code: string; device_code: string }
  await page.goto('/device')
  await type(page.getByLabel('Code'), user_code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Never approve a code')).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('The device is signed in')).toBeVisible()
  const grant = `grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=${device_code}&client_id=${clientId}`
  const answer = await fetch(`${server.url}/oauth/token`, { ...form, body: grant })
  const { access_token } = (await answer.json()) as { access_token: string }
  const me = await fetch(`${server.url}${native}/me`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  expect(await me.json()).toMatchObject({ username: person.username })
})
