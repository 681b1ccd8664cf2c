import { textFile } from '../bench/seed.mjs'
import { startServer } from '../fixtures/server.mjs'
import { ended, givenModel, givenOwner } from '../mirrors/upstream.mjs'
import { expect as quickly, fresh, testOn } from './fixtures.ts'
import { lookAt } from './look.ts'

const expect = quickly.configure({ timeout: 60_000 })

/** The hour of the clock some hours from now, in UTC. */
const hourIn = (hours: number) => `${String((new Date().getUTCHours() + hours) % 24).padStart(2, '0')}:00`
const opening = hourIn(3)

const test = testOn({
  'telemetry.log_level': 'warn',
  'security.outbound_allow': 'upstream=127.0.0.1',
  'pull.windows': `${opening}-${hourIn(4)}`,
})
test.setTimeout(300_000)

test('the page of a pull says what it waits for, and which dependency did not come', async ({
  page,
  person,
  admin,
}) => {
  const upstream = await startServer()
  try {
    const owner = await givenOwner(upstream)
    const { repo } = await givenModel(owner, 'nightly', { 'a.bin': 5000 })
    const id = fresh('near')
    await admin.native('POST', '/admin/upstreams', { id, base_url: upstream.url })
    const wish = { upstream: id, type: 'model', repo }
    const job = await person.native<{ id: string }>('POST', '/pulls', wish)
    await page.goto(`/jobs/${job.id}`)
    // The log below says the same.
    const alert = page.getByRole('alert')
    await expect(alert.getByText(`Waiting for ${opening} (UTC), when transfers may run`)).toBeVisible()
    await expect(page.getByText('running', { exact: true })).toBeVisible()
    await expect(page.getByText('queued', { exact: false }).first()).toBeVisible()
    await lookAt(page, { waiting: `/jobs/${job.id}` })
    await page.goto(`/jobs/${job.id}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('cancelled', { exact: true })).toBeVisible()
    await expect(alert.getByText('Waiting for')).toHaveCount(0)

    const config = JSON.stringify({ auto_map: { AutoModel: `${owner.username}/nowhere--model.Model` } })
    const code = await givenModel(owner, 'uses-code', {})
    await owner.hub.commit(code.repo, 'needs code', [textFile('config.json', config)])
    const part = { ...wish, repo: code.repo }
    const other = await person.native<{ id: string }>('POST', '/pulls', part)
    expect((await ended(person, other.id)).status).toBe('succeeded')
    await page.goto(`/jobs/${other.id}`)
    await expect(page.getByText('Not everything came')).toBeVisible()
    await expect(alert.getByText(`${owner.username}/nowhere did not come (not-found)`)).toBeVisible()
    await lookAt(page, { warned: `/jobs/${other.id}` })
  } finally {
    await upstream.stop()
  }
})
