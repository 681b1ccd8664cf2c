import { randomBytes, randomInt } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { expect, givenRepo, test } from './fixtures.ts'
import { storedFile, upload } from './large-files.ts'
import { lookAt } from './look.ts'

test('a job that failed says why on its page, fails once more, and succeeds when its cause is gone', async ({
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
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download as zip' }).click()
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]+$/)
  const address = new URL(page.url()).pathname
  const status = async () => (await person.native<{ status: string }>('GET', address)).status
  const main = page.getByRole('main')
  const badge = (name: string) => main.getByText(name, { exact: true })
  await expect(badge('failed')).toBeVisible()
  await expect(main.getByRole('alert')).toContainText('The bytes of weights.safetensors are missing here.')
  await lookAt(page, { failed: address })

  const retry = main.getByRole('button', { name: 'Retry' })
  const started = main.getByRole('row').filter({ hasText: 'Finished' }).locator('time')
  const before = await started.getAttribute('datetime')
  await retry.click()
  await expect(started).not.toHaveAttribute('datetime', before ?? '')
  await expect(badge('failed')).toBeVisible()
  await expect(main.getByRole('alert')).toContainText('The bytes of weights.safetensors are missing here.')

  await rename(`${stored}.away`, stored)
  await page.goto('/jobs')
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="${address}"]`) })
  await expect(row).toContainText('failed')
  await row.getByRole('button', { name: /^Retry / }).click()
  await expect.poll(status).toBe('succeeded')
  await row.getByRole('link').click()
  // The list shows until the page of the job has come, and has other jobs that succeeded.
  await expect(main.getByRole('link', { name: 'Download' })).toBeVisible()
  await expect(badge('succeeded')).toBeVisible()
  await expect(main.getByRole('alert')).toHaveCount(0)
  await expect(retry).toHaveCount(0)
  const download = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
})
