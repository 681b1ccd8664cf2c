import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { expect, givenRepo, pressTwice, signIn, test, type Page } from './fixtures.ts'
import { expectNoFault } from './look.ts'
import { storedFile, upload } from './large-files.ts'

interface Overview {
  storage: {
    lfs: { count: number; bytes: number; links: number; logical_bytes: number; saved_bytes: number }
  }
  counts: { models: number }
}

const exact = new Intl.NumberFormat('en')

/** The figure behind a name on one of the cards. */
const figure = (page: Page, card: string, what: string) =>
  page.getByRole('region', { name: card }).locator('dl > div').filter({ hasText: what }).locator('dd')

test('an admin sees what was uploaded, and what sharing it saves', async ({
  page,
  person,
  admin,
  server,
  context,
}) => {
  const overview = () => admin.native<Overview>('GET', '/admin/overview')
  const before = await overview()
  const weights = randomBytes(3_000_000)
  await upload(page, await givenRepo(person), 'weights.safetensors', weights)
  await upload(page, await givenRepo(person), 'weights.safetensors', weights)

  await signIn(context, server.url, admin)
  await page.goto('/')
  await page.getByRole('button', { name: `Account of ${admin.username}` }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible()

  // What is shown may be some seconds old.
  const models = exact.format(before.counts.models + 2)
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(figure(page, 'Repos and people', 'Models').getByTitle(models)).toBeVisible({ timeout: 1000 })
  }).toPass()
  const { lfs } = before.storage
  const shown = async (what: string, bytes: number) =>
    expect(figure(page, 'LFS objects', what).getByTitle(`${exact.format(bytes)} bytes`)).toBeVisible()
  await shown('Stored', lfs.bytes + weights.length)
  await shown('Named by Repos', lfs.logical_bytes + 2 * weights.length)
  await shown('Saved by sharing', lfs.saved_bytes + weights.length)
  const now = (await overview()).storage.lfs
  expect(now).toMatchObject({ count: lfs.count + 1, links: lfs.links + 2 })

  await page
    .getByRole('region', { name: 'Jobs' })
    .locator('dl > div', { hasText: 'Succeeded' })
    .getByRole('link')
    .click()
  await expect(page).toHaveURL('/jobs?all=&status=succeeded')
})

test('an admin counts what is stored, and sees it over time and who stores the most', async ({
  page,
  person,
  admin,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { visibility: 'private' })
  await upload(page, repo, 'large.safetensors', randomBytes(5_000_011))
  await signIn(context, server.url, admin)
  await page.goto('/admin')
  const trend = page.getByRole('region', { name: 'Over time' })
  await trend.getByRole('button', { name: 'Count now' }).click()
  await expect(page.getByRole('region', { name: 'Largest repos' }).getByText(repo.name)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Largest namespaces' }).getByText(repo.ns)).toBeVisible()
  await expect(trend.getByRole('table', { name: 'LFS objects by day' })).toHaveCount(1)
  await trend.getByLabel('Span').selectOption('365')
  await expect(trend.locator('time')).toBeVisible()
  const report = await admin.native<{ days: { lfs_bytes: number }[] }>('GET', '/admin/storage?days=7')
  expect(report.days.at(-1)?.lfs_bytes).toBeGreaterThanOrEqual(5_000_011)
  await expect(person.native('GET', '/admin/storage')).rejects.toThrow(/403.*forbidden/)
  await page.getByRole('region', { name: 'Largest repos' }).getByRole('link', { name: repo.name }).click()
  await expect(page).toHaveURL(repo.page)
})

test('failed jobs are retried from the overview, all of a kind or one in the list', async ({
  page,
  person,
  admin,
  server,
  context,
}) => {
  const repo = await givenRepo(person)
  const bytes = 3_000_000 + Number.parseInt(randomBytes(2).toString('hex'), 16)
  await upload(page, repo, 'weights.safetensors', randomBytes(bytes))
  const stored = await storedFile(server.dir, bytes)
  // The bytes of the large file are out of reach for a while, as on a disk that is not mounted.
  await rename(stored, `${stored}.away`)
  const { id } = await person.native<{ id: string }>('POST', `${repo.api}/zip`)
  const status = async () => (await admin.native<{ status: string }>('GET', `/jobs/${id}`)).status
  await expect.poll(status).toBe('failed')

  await signIn(context, server.url, admin)
  await page.goto('/admin')
  const failures = page.getByRole('region', { name: 'Failures' })
  const row = failures.getByRole('row').filter({ hasText: 'zip.export' })
  await expect(row).toContainText('1')
  await expectNoFault(page)
  // It fails again as long as they are.
  await pressTwice(row.getByRole('button', { name: 'Retry of the kind zip.export' }))
  await expect(failures.getByText('1 queued again.')).toBeVisible()
  await expect.poll(status).toBe('failed')
  await rename(`${stored}.away`, stored)

  await page.reload()
  await row.getByRole('link', { name: '1 failed of the kind zip.export' }).click()
  await expect(page).toHaveURL('/jobs?all=&status=failed&kind=zip.export')
  await page.getByRole('button', { name: /^Retry / }).click()
  await expect.poll(status).toBe('succeeded')
  const retries = await admin.native<{ items: object[] }>('GET', `/admin/audit?action=job.retry&target=${id}`)
  expect(retries.items).toHaveLength(2)
  await page.getByRole('button', { name: 'Only zip.export: show any kind' }).click()
  await expect(page).toHaveURL('/jobs?all=&status=failed')
  await page.goto('/admin')
  await expect(failures.getByText(/No job has failed|The newest/)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('a scheduled task is run from the overview', async ({ page, admin, server, context }) => {
  await signIn(context, server.url, admin)
  await page.goto('/admin')
  const tasks = page.getByRole('region', { name: 'Scheduled tasks' })
  const row = tasks.getByRole('row').filter({ hasText: 'audit.seal' })
  await expectNoFault(page)
  await row.getByRole('button', { name: /^Run now: / }).focus()
  await page.keyboard.press('Enter')
  await tasks.getByRole('status').getByRole('link', { name: 'follow the job' }).click()
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/)
  await expect(page.getByText('Succeeded').first()).toBeVisible()
  await page.goto('/admin')
  await expect(row.getByRole('link', { name: /succeeded/ })).toBeVisible()
})

test('when counting fails the page says so, and asks again', async ({ page, admin, server, context }) => {
  await signIn(context, server.url, admin)
  await page.route('**/admin/overview', (route) => route.fulfill({ status: 400, body: 'broken' }))
  await page.goto('/admin')
  await expect(page.getByRole('alert')).toBeVisible()
  await page.unroute('**/admin/overview')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Storage', exact: true })).toBeVisible()
})

test('users who are no admins see no figures, and no link to them', async ({ page, person, server }) => {
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Only instance admins see this' })).toBeVisible()
  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0)
  await expect(person.native('GET', '/admin/overview')).rejects.toThrow(/403.*forbidden/)
  expect((await fetch(`${server.url}/api/service/v1/admin/overview`)).status).toBe(401)
})

test('an admin disables a repo and says why; others see the reason instead of its files, until it is enabled', async ({
  page,
  person,
  admin,
  browser,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# Questionable\n' } })
  const context = await browser.newContext({ baseURL: server.url })
  await signIn(context, server.url, admin)
  const theirs = await context.newPage()
  await theirs.goto(`${repo.page}/settings`)
  await theirs.getByLabel('Reason').fill('Its data may not be shared.')
  await theirs.getByRole('button', { name: 'Disable this model' }).click()
  await expect(theirs.getByRole('alert').getByText('Its data may not be shared.')).toBeVisible()

  for (const below of ['', '/tree/main', '/blob/main/README.md', '/edit/main/README.md']) {
    await page.goto(repo.page + below)
    await expect(page.getByRole('heading', { name: 'This model is disabled' })).toBeVisible()
    await expect(page.getByText('Its data may not be shared.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Use this model' })).toHaveCount(0)
  }
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Community' })
    .click()
  await expect(page.getByRole('link', { name: 'New discussion' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'New pull request' })).toHaveCount(0)
  await expect(page.getByText('--create-pr')).toHaveCount(0)
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Settings' })
    .click()
  await expect(page.getByRole('button', { name: 'Delete this model' })).toBeVisible()
  await expect(page.getByRole('button', { name: /able this model/ })).toHaveCount(0)

  await theirs
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Card' })
    .click()
  await expect(theirs.getByRole('heading', { name: 'Questionable' })).toBeVisible()
  await theirs.getByRole('button', { name: 'Enable this model' }).click()
  await expect(theirs.getByRole('alert')).toHaveCount(0)
  await page.goto(repo.page)
  await expect(page.getByRole('heading', { name: 'Questionable' })).toBeVisible()
  await context.close()
})
