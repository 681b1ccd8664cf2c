import { givenModel, givenOwner } from '../mirrors/upstream.mjs'
import { startServer } from '../fixtures/server.mjs'
import { expect as quickly, fresh, test } from './fixtures.ts'

/** Jobs and pages take their time on a busy machine. */
const expect = quickly.configure({ timeout: 60_000 })
test.setTimeout(300_000)

test('a repo of another hub is pulled in part, a file of it later, and the mirror is detached', async ({
  page,
  person,
  admin,
}) => {
  const upstream = await startServer()
  try {
    const owner = await givenOwner(upstream)
    const { repo } = await givenModel(owner, 'tiny', { 'a.bin': 5000, 'b.bin': 70_000 })
    const id = fresh('near')
    await admin.native('POST', '/admin/upstreams', { id, name: 'Near hub', base_url: upstream.url })

    // Without it the page asks the public hub, which tests do not reach.
    await page.goto(`/discover?upstream=${id}`)
    await expect(page.getByLabel('Hub')).toHaveValue(id)
    await expect(page.getByRole('link', { name: repo, exact: true })).toBeVisible()
    await page.getByRole('textbox', { name: 'Search' }).fill(`${upstream.url}/${repo}`)
    await page.getByRole('link', { name: `Open ${repo} at Near hub` }).click()
    await expect(page.getByRole('heading', { name: repo })).toBeVisible()
    const box = page.getByRole('region', { name: 'Pull' })
    await expect(box).toContainText(/2 of 2 large files, 75.0 .B to fetch/)
    await page.getByRole('checkbox', { name: 'b.bin' }).uncheck()
    await expect(box).toContainText(/1 of 2 large files, 5.00 .B to fetch/)
    await box.getByRole('button', { name: 'Pull' }).click()
    await expect(page.getByText('succeeded')).toBeVisible()
    await expect(page.getByText('a.bin')).toBeVisible()
    await expect(page.getByText('b.bin')).toBeHidden()

    await page.getByRole('link', { name: repo }).click()
    await expect(page.getByText('mirror', { exact: true })).toBeVisible()
    await page.goto(`/${repo}/tree/main`)
    await expect(page.getByRole('row', { name: /b\.bin/ })).toContainText('missing')
    await expect(page.getByRole('row', { name: /a\.bin/ })).not.toContainText('missing')
    await page.getByRole('link', { name: 'b.bin' }).click()
    await page.getByRole('button', { name: 'Pull this file' }).click()
    await expect(page.getByText('succeeded')).toBeVisible()
    await page.goto(`/${repo}/blob/main/b.bin`)
    await expect(page.getByText('Large file')).toBeVisible()
    await expect(page.getByText('Not on this server')).toBeHidden()
    const tree = await person.native<{ entries: { name: string; presence: string }[] }>(
      'GET',
      `/repos/models/${repo}/tree/main`,
    )
    expect(tree.entries.every(({ presence }) => presence === 'present')).toBe(true)
  } finally {
    await upstream.stop()
  }
})

test('admins of a mirror set how it follows, sync it and detach it', async ({ page, person, admin }) => {
  const upstream = await startServer()
  try {
    const owner = await givenOwner(upstream)
    const { repo } = await givenModel(owner, 'own', { 'a.bin': 5000 })
    const id = fresh('near')
    await admin.native('POST', '/admin/upstreams', { id, base_url: upstream.url })
    const wish = { upstream: id, type: 'model', repo, target_ns: person.username }
    const job = await person.native<{ id: string }>('POST', '/pulls', wish)
    await page.goto(`/jobs/${job.id}`)
    await expect(page.getByText('succeeded')).toBeVisible()

    const own = `${person.username}/${repo.split('/')[1]}`
    await page.goto(`/${own}/settings`)
    const panel = page.getByRole('region', { name: 'Mirror' })
    await expect(panel).toContainText('up to date')
    await panel.getByLabel('Schedule').fill('30 2 * * *')
    await panel.getByRole('button', { name: 'Save' }).click()
    const mirror = () => person.native<Record<string, unknown>>('GET', `/repos/models/${own}/mirror`)
    await expect.poll(async () => (await mirror())['schedule']).toBe('30 2 * * *')
    await panel.getByLabel('Tracking').selectOption('manual')
    await expect(panel).toContainText('when asked')
    const before = (await mirror())['last_sync_at']
    await panel.getByRole('button', { name: 'Sync now' }).click()
    await expect.poll(async () => (await mirror())['last_sync_at']).not.toBe(before)
    await expect(panel).toContainText('up to date')
    await panel.getByRole('button', { name: 'Detach' }).click()
    await panel.getByRole('button', { name: 'Yes, detach it' }).click()
    await expect(panel).toBeHidden()
    await person.native('POST', `/repos/models/${own}/commits`, {
      title: 'Own change',
      operations: [{ op: 'add', path: 'own.txt', text: 'mine' }],
    })
  } finally {
    await upstream.stop()
  }
})
