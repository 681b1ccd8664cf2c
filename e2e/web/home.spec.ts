import { startServer } from '../fixtures/server.mjs'
import { givenModel, givenOwner } from '../mirrors/upstream.mjs'
import { expect, fresh, givenRepo, testOn } from './fixtures.ts'
import { lookAt } from './look.ts'

/** The hour of the clock some hours from now, in UTC. */
const hourIn = (hours: number) => `${String((new Date().getUTCHours() + hours) % 24).padStart(2, '0')}:00`

const test = testOn({
  'telemetry.log_level': 'warn',
  'security.outbound_allow': 'upstream=127.0.0.1',
  // So that a pull runs for as long as the test looks at it.
  'pull.windows': `${hourIn(3)}-${hourIn(4)}`,
})

interface Namespace {
  storage: { used_bytes: number }
}

test('home has one’s own repos, the jobs that run, and how much is stored', async ({
  page,
  newcomer,
  stranger,
  admin,
}) => {
  const model = await givenRepo(newcomer, { visibility: 'private', files: { 'a.txt': 'a'.repeat(3000) } })
  const dataset = await givenRepo(newcomer, { type: 'dataset', files: { 'b.csv': 'b,c\n1,2\n' } })
  const other = await givenRepo(stranger)
  const upstream = await startServer()
  try {
    const owner = await givenOwner(upstream)
    const { repo } = await givenModel(owner, 'nightly', { 'a.bin': 5000 })
    const id = fresh('near')
    await admin.native('POST', '/admin/upstreams', { id, base_url: upstream.url })
    const wish = { upstream: id, type: 'model', repo }
    const job = await newcomer.native<{ id: string; title: string }>('POST', '/pulls', wish)

    await page.goto('/')
    const own = page.getByRole('region', { name: 'My repos' })
    for (const { ns, name } of [model, dataset])
      await expect(own.getByRole('link', { name: `${ns}/${name}`, exact: true })).toBeVisible()
    await expect(own).not.toContainText(other.name)

    const running = page.getByRole('region', { name: 'Running jobs' })
    await expect(running.getByRole('link', { name: job.title })).toBeVisible()
    // Nothing of it has come yet, so the bar is empty.
    await expect(running.getByRole('progressbar', { name: `Progress of ${job.title}` })).toBeAttached()

    const { storage } = await newcomer.native<Namespace>('GET', `/namespaces/${newcomer.username}`)
    expect(storage.used_bytes).toBeGreaterThan(0)
    const stored = page.getByRole('region', { name: 'Storage' })
    await expect(stored.getByTitle(`${storage.used_bytes.toLocaleString('en')} bytes`)).toBeVisible()
    await expect(stored).toContainText('1 model, 1 dataset, 0 collections')
    await lookAt(page, { home: '/' }, () => expect(running).toBeVisible())

    await page.goto('/')
    await running.getByRole('link', { name: job.title }).press('Enter')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('cancelled', { exact: true })).toBeVisible()
    await page.goto('/')
    await expect(own).toBeVisible()
    await expect(stored).toContainText('stored')
    await expect(running).toHaveCount(0)
  } finally {
    await upstream.stop()
  }
})
