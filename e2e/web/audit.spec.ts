import { readFile } from 'node:fs/promises'
import { expect, fresh, signIn, test, type Page, type Person } from './fixtures.ts'

interface Event {
  id: string
  action: string
  actor?: string
  outcome: string
  target: { name?: string; id: string }
  seal?: object
}

/** The day so many days from now, as a field for a date has it. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Events without their seals: a job seals them, also between two looks. */
const unsealed = (events: Event[]) => events.map(({ seal: _, ...event }) => event)

/** The events that the page exports, one for each line of its file. */
async function exported(page: Page): Promise<Event[]> {
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as JSON lines' }).click()
  const download = await begun
  expect(download.suggestedFilename()).toBe('audit.jsonl')
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Event)
}

test('the audit log is filtered by every field, and exports what it shows', async ({
  page,
  context,
  admin,
  server,
}) => {
  const person = (await server.newPerson('aud')) as Person
  const ns = fresh('audited')
  await person.native('POST', '/orgs', { ns })
  await person.native('PATCH', `/orgs/${ns}`, { display_name: 'Audited' })
  await person.native('POST', '/me/tokens', { name: 'laptop', scopes: ['read'] })
  await server.login(person.username, 'not the password at all').catch(() => undefined)
  await signIn(context, server.url, admin)
  await page.goto('/admin/audit')
  const rows = page.getByRole('row')
  const shown = async () =>
    (await rows.locator('td:nth-child(3)').allInnerTexts()).map((text) => text.split('\n')[0])
  /** The rows of the page, newest first, are these actions; so is its file, oldest first, and so says the server. */
  const expectActions = async (actions: string[], query: string) => {
    await expect.poll(shown).toEqual(actions)
    const { items } = await admin.native<{ items: Event[] }>('GET', `/admin/audit?${query}`)
    expect(items.map(({ action }) => action)).toEqual(actions)
    expect(unsealed(await exported(page))).toEqual(unsealed(items.toReversed()))
  }

  await page.getByRole('textbox', { name: 'By' }).fill(person.username)
  await page.getByRole('textbox', { name: 'Action' }).fill('org.')
  await expectActions(['org.update', 'org.create'], `actor=${person.username}&action=org.`)
  await page.getByRole('textbox', { name: 'Action' }).fill('org.create')
  await expectActions(['org.create'], `actor=${person.username}&action=org.create`)
  await expect(page).toHaveURL(`/admin/audit?actor=${person.username}&action=org.create`)

  await page.getByRole('textbox', { name: 'By' }).fill('')
  await page.getByRole('textbox', { name: 'Action' }).fill('')
  await page.getByRole('textbox', { name: 'Target' }).fill(ns)
  await expectActions(['org.update', 'org.create'], `target=${ns}`)

  await page.getByLabel('From').fill(dayIn(-1))
  await page.getByLabel('To', { exact: true }).fill(dayIn(1))
  await expectActions(['org.update', 'org.create'], `target=${ns}`)
  await page.getByLabel('From').fill(dayIn(2))
  await page.getByLabel('To', { exact: true }).fill('')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  expect(await exported(page)).toEqual([])
  await page.getByLabel('From').fill('')
  await page.getByLabel('To', { exact: true }).fill(dayIn(-2))
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.getByLabel('To', { exact: true }).fill('')

  await page.getByRole('textbox', { name: 'Target' }).fill(person.username)
  await page.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'refused' }).click()
  await expect(rows.filter({ hasText: 'refused' })).toHaveCount(1)
  await expectActions(['login.fail'], `target=${person.username}&outcome=refused`)
  await page.reload()
  await expectActions(['login.fail'], `target=${person.username}&outcome=refused`)
})
