import { randomBytes, randomInt } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { whenConverted } from './datasets.ts'
import { expect, givenRepo, test, type Caller, type GivenRepo } from './fixtures.ts'
import { storedFile, upload } from './large-files.ts'
import { lookAt } from './look.ts'

/** The address of the newest job of a kind on a repo, once it has ended. */
async function jobOf(person: Caller, kind: string, repo: GivenRepo): Promise<string> {
  const path = `/jobs?kind=${kind}&repo=${repo.api.replace('/repos/', '')}`
  type Jobs = { items: { id: string; status: string }[] }
  const newest = async () => (await person.native<Jobs>('GET', path)).items[0]
  await expect.poll(async () => (await newest())?.status, { timeout: 60_000 }).toBe('succeeded')
  return `/jobs/${(await newest())?.id}`
}

test('the page of a job shows what it did, to be read by keyboard, copied and saved', async ({
  page,
  person,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const repo = await givenRepo(person, {
    type: 'dataset',
    files: { 'data/train.csv': 'a,b\n1,2\n3,4\n5,6\n', 'data/test.csv': 'a,b\n1,2\n' },
  })
  await whenConverted(person, server, repo, 3)
  const address = await jobOf(person, 'dataset.convert', repo)
  await page.goto(address)
  const log = page.getByRole('log')
  await expect(log).toContainText(/Attempt 1 of 4 began on worker \S+\./)
  await expect(log).toContainText('default / train begins: 1 csv file, 16 bytes.')
  await expect(log).toContainText('default / train has 3 rows, in 1 file.')
  await expect(log).toContainText('The export is written: 2 files.')
  await expect(log).toContainText(/Succeeded after [\d.]+ s\./)

  const search = page.getByRole('searchbox', { name: 'Find in the log' })
  await search.fill('HAS 3 ROWS')
  await expect(page.getByRole('status').filter({ hasText: /^1 of \d+ lines$/ })).toBeVisible()
  await expect(log.locator('mark')).toHaveText('has 3 rows')
  await expect(log).not.toContainText('begins')
  await search.fill('no line has this')
  await expect(page.getByRole('status').filter({ hasText: /^0 of \d+ lines$/ })).toBeVisible()
  await search.fill('')
  await expect(log).toContainText(/Attempt 1 of 4 began/)

  await log.focus()
  await expect(log).toBeFocused()
  await page.getByRole('button', { name: 'Copy the log' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^\d{4}-\S+Z \[1\] Attempt 1 of 4 began/)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the log' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`job-${address.replace('/jobs/', '')}.txt`)
  expect(await readFile(await saved.path(), 'utf8')).toBe(copied)
  await lookAt(page, { converted: address }, () => expect(log).toBeVisible())
})

test('the log of a job follows it, and keeps what earlier attempts said', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person)
  const weights = randomBytes(3_000_000 + randomInt(60_000))
  await upload(page, repo, 'weights.safetensors', weights)
  const stored = await storedFile(server.dir, weights.length)
  // The bytes are out of reach for a while, as on a disk that is not mounted.
  await rename(stored, `${stored}.away`)
  const { id } = await person.native<{ id: string }>('POST', `${repo.api}/zip`, { revision: 'main' })
  await page.goto(`/jobs/${id}`)
  const log = page.getByRole('log')
  await expect(log).toContainText('Packs 3 files into an archive of 3')
  await expect(log).toContainText('(lfs-object-missing): The bytes of weights.safetensors are missing here.')
  await rename(`${stored}.away`, stored)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(log).toContainText('Queued again by a person.')
  await expect(log).toContainText(/Attempt 2 of \d began/)
  await expect(log).toContainText(/Succeeded after [\d.]+ s\./)
  await expect(log).toContainText('lfs-object-missing')
})

test('a job that waits says that it has no log yet, and others see none', async ({
  page,
  person,
  stranger,
}) => {
  const repo = await givenRepo(person)
  await person.native('DELETE', repo.api)
  const { items } = await person.native<{ items: { id: string; title: string }[] }>(
    'GET',
    '/jobs?kind=repo.purge&status=queued',
  )
  const address = `/jobs/${items[0]?.id}`
  await page.goto(address)
  await expect(page.getByText('Nothing yet. What the job does appears here while it runs.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy the log' })).toHaveCount(0)
  await lookAt(page, { waiting: address })
  await expect(stranger.native('GET', `${address}/log`)).rejects.toThrow('404')
})
