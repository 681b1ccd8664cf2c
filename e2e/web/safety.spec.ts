import { expect, givenRepo, signIn, test } from './fixtures.ts'

// Pickles of protocol 0, which are text: one calls the shell, one an estimator, one builds a dict.
const files = {
  'README.md': '# Model\n',
  'weights/unsafe.pkl': "cposix\nsystem\n(S'id'\ntR.",
  'odd.pkl': 'csklearn.svm\nSVC\n(tR.',
  'plain.pkl': '(dp0\n.',
  'modeling.py': 'import os\n',
}

test('a file that would run code is marked everywhere, explained, and can still be downloaded', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files })
  await expect(async () => {
    expect(await person.native('GET', repo.api)).toMatchObject({ scan_status: 'unsafe' })
  }).toPass()

  await page.goto(`${repo.page}/tree/main`)
  const row = page.getByRole('row').filter({ hasText: 'odd.pkl' })
  await expect(row.getByText('suspicious', { exact: true })).toBeVisible()
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: 'plain.pkl' })
      .getByText(/safe|suspicious/),
  ).toHaveCount(0)
  await page.getByRole('link', { name: 'unsafe files' }).click()

  const summary = page.getByRole('region', { name: 'Security' })
  await expect(summary.getByText('Loading some of these files can run code.')).toBeVisible()
  await summary.getByRole('link', { name: 'weights/unsafe.pkl' }).click()

  const panel = page.getByRole('region', { name: 'Security' })
  await expect(panel.getByText('Unsafe: loading this file can run code')).toBeVisible()
  await expect(panel.getByText('posix.system')).toBeVisible()
  await expect(panel.getByText('dangerous', { exact: true })).toBeVisible()
  await expect(panel.getByText('safetensors')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('unsafe.pkl')

  await page.goto(`${repo.page}/blob/main/plain.pkl`)
  await expect(
    page.getByRole('region', { name: 'Security' }).getByText('Nothing unsafe was found'),
  ).toBeVisible()
  await page.goto(`${repo.page}/blob/main/modeling.py`)
  await expect(page.getByRole('region', { name: 'Security' }).getByText('This is code')).toBeVisible()
  await page.goto(`${repo.page}/blob/main/README.md`)
  await expect(page.getByRole('region', { name: 'Security' }).getByText('Not checked')).toBeVisible()
})

test('an admin sees the unsafe files of all repos, others do not', async ({
  page,
  context,
  person,
  admin,
  server,
}) => {
  const repo = await givenRepo(person, { visibility: 'private', files })
  await expect(async () => {
    expect(await person.native('GET', repo.api)).toMatchObject({ scan_status: 'unsafe' })
  }).toPass()
  await page.goto('/admin/unsafe-files')
  await expect(page.getByText('Only instance admins see this')).toBeVisible()
  await signIn(context, server.url, admin)
  await page.goto('/admin/unsafe-files')
  const row = page.getByRole('row').filter({ hasText: repo.name })
  await expect(row.getByRole('link', { name: 'weights/unsafe.pkl' })).toBeVisible()
  await page.getByText('Suspicious', { exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: repo.name }).getByText('odd.pkl')).toBeVisible()
  await page.getByRole('link', { name: 'odd.pkl' }).first().click()
  await expect(
    page.getByText('It is not known what loading this file runs', { exact: false }).first(),
  ).toBeVisible()
})

test('an admin allows an import, and files that have it are safe until the rule is deleted', async ({
  page,
  context,
  person,
  admin,
  server,
}) => {
  const name = `Model${person.username.replaceAll(/[^a-z0-9]/gi, '')}`
  const repo = await givenRepo(person, { files: { 'own.pkl': `cours.models\n${name}\n(tR.` } })
  const isShownAs = (status: string) =>
    expect(async () => {
      expect(await person.native('GET', repo.api)).toMatchObject({ scan_status: status })
    }).toPass()
  await isShownAs('suspicious')

  await signIn(context, server.url, admin)
  await page.goto('/admin/unsafe-files')
  const rules = page.getByRole('region', { name: 'Imports' })
  await rules.getByLabel('Module').fill('ours.models')
  await rules.getByLabel('Name').fill(name)
  await rules.getByLabel('Note').fill('Made here')
  await rules.getByRole('button', { name: 'Save' }).click()
  const row = rules.getByRole('row').filter({ hasText: `ours.models.${name}` })
  await expect(row.getByText('allowed', { exact: true })).toBeVisible()
  await expect(row.getByText('Made here')).toBeVisible()
  await isShownAs('safe')
  await page.goto(`${repo.page}/blob/main/own.pkl`)
  await expect(
    page.getByRole('region', { name: 'Security' }).getByText('An admin of this server allows it.'),
  ).toBeVisible()

  await page.goto('/admin/unsafe-files')
  await rules.getByLabel('Module').fill('os')
  await rules.getByLabel('Name').fill('system')
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByText('os.system can run code when a file is loaded.', { exact: false }),
  ).toBeVisible()
  await row.getByRole('button', { name: `Delete the rule for ours.models.${name}` }).click()
  await expect(row).toHaveCount(0)
  await isShownAs('suspicious')
})
