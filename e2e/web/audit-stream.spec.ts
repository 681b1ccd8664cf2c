import { expect, signIn, test, type Caller } from './fixtures.ts'
import { lookAt } from './look.ts'
import { startReceiver } from './webhooks.ts'

interface Line {
  action: string
  actor?: string
  target: { id: string; name: string }
  seal?: { seq: number; hash: string }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const linesOf = ({ received }: Receiver) =>
  received.flatMap(({ body }) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  )

const remove = (admin: Caller) => admin.native('DELETE', '/admin/audit/stream').catch(() => undefined)

test.afterEach(({ admin }) => remove(admin))

test('an admin sends the audit log to another system, pauses, changes and ends that', async ({
  page,
  context,
  admin,
  server,
}) => {
  const receiver = await startReceiver()
  await signIn(context, server.url, admin)
  await page.goto('/admin/audit')
  const state = page.getByRole('region', { name: 'Stream' })
  await expect(state).toContainText('The log is sent to no other system.')

  await page.getByRole('button', { name: 'Stream' }).click()
  const form = page.getByRole('dialog', { name: 'Stream the audit log' })
  await form.getByLabel('Address').fill('http://10.0.0.1/audit')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('network that requests may not be sent to')).toBeVisible()
  await form.getByLabel('Address').fill(receiver.url)
  await form.getByLabel('Token', { exact: true }).fill('siem-token')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Stream saved')).toBeVisible()

  // Rows leave within seconds, as the log has them, and nothing from before.
  const person = await server.newPerson('streamed')
  await expect.poll(() => linesOf(receiver).map(({ action }) => action)).toContain('user.create')
  expect(linesOf(receiver)[0]).toMatchObject({ action: 'audit.stream.set' })
  const { items } = await admin.native<{ items: Line[] }>('GET', `/admin/audit?target=${person.username}`)
  const sent = () => linesOf(receiver).filter(({ target }) => target.name === person.username)
  await expect.poll(sent).toEqual(items.toReversed())
  const [{ headers } = { headers: {} }] = receiver.received
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    authorization: 'Bearer siem-token',
    'idempotency-key': expect.stringMatching(/^audit-\d+-\d+$/) as unknown,
  })
  const seqs = linesOf(receiver).map(({ seal }) => seal?.seq ?? 0)
  expect(seqs).toEqual(seqs.map((_, n) => (seqs[0] ?? 0) + n))
  await expect(state).toContainText('None is waiting.')

  await page.getByRole('button', { name: 'Stream' }).click()
  const about = page.getByRole('dialog', { name: 'Stream of the audit log' })
  await about.getByRole('button', { name: 'Send a test' }).click()
  await expect(about.getByRole('status')).toContainText('The answer was 200.')
  await expect(about).not.toContainText('siem-token')
  receiver.answer.status = 401
  await about.getByRole('button', { name: 'Send a test' }).click()
  await expect(about.getByRole('status')).toContainText('The answer was 401, not 2xx.')

  await about.getByLabel('Switched on').click()
  await expect(state).toContainText('The stream is paused.')
  await expect(about).toContainText('1 row is waiting.')
  await about.getByLabel('Switched on').click()
  await expect(about).toContainText('Sending fails: The answer was 401, not 2xx.')
  receiver.answer.status = 200
  receiver.received.length = 0
  await about.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit the stream' })
  await edit.getByLabel('Remove the token').check()
  await edit.getByLabel('Send the whole log').check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => linesOf(receiver)[0]?.seal?.seq).toBe(1)
  await expect(about).toContainText('None is waiting.')
  await expect(about).toContainText('Requests carry no token.')
  expect(receiver.received[0]?.headers['authorization']).toBeUndefined()

  await about.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete the stream' })
    .getByRole('button', { name: 'Delete stream' })
    .click()
  await expect(state).toContainText('The log is sent to no other system.')
  receiver.stop()
})

test('its page and dialogs look right in both themes, on phones too', async ({
  page,
  context,
  admin,
  server,
}) => {
  test.slow()
  const receiver = await startReceiver(503)
  await signIn(context, server.url, admin)
  await page.goto('/admin/audit')
  const state = page.getByRole('region', { name: 'Stream' })
  const open = () => page.getByRole('button', { name: 'Stream' }).click()
  await lookAt(page, { 'stream-none': '/admin/audit' }, async () => {
    await expect(state).toContainText('no other system')
    await open()
    await expect(page.getByRole('dialog')).toBeVisible()
  })
  await admin.native('PUT', '/admin/audit/stream', { url: receiver.url, token: 'siem-token' })
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  await lookAt(page, { 'stream-fails': '/admin/audit' }, async () => {
    await expect(state).toContainText('Sending fails')
  })
  await lookAt(page, { 'stream-dialog': '/admin/audit' }, async () => {
    await open()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText('The test was not taken')).toBeVisible()
  })
  receiver.stop()
})
