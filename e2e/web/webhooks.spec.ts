import { expect, givenRepo, test } from './fixtures.ts'
import { startReceiver } from './webhooks.ts'

interface Delivery {
  id: string
  event: string
  status: string
}

test('a webhook is created, tested, delivered to, redelivered to, disabled and deleted', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const receiver = await startReceiver()
  await page.goto(`${repo.page}/settings`)
  await page.getByRole('link', { name: 'Webhooks of this repo' }).click()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByLabel('Address').fill('http://10.0.0.1/hook')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('network that requests may not be sent to')).toBeVisible()
  await form.getByLabel('Address').fill(receiver.url)
  await form.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('dialog', { name: 'Webhook created' })
  await expect(made.getByText(/^whsec_/)).toBeVisible()
  await made.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await expect(deliveries.getByText('succeeded')).toBeVisible()
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Told of',
    operations: [{ op: 'add', path: 'a.txt', text: 'a' }],
  })
  await page.reload()
  await expect(deliveries.getByText('succeeded')).toHaveCount(2)
  await deliveries.getByRole('button', { name: /repo\.content/ }).click()
  await expect(deliveries.getByRole('region', { name: 'Request' })).toContainText('"scope": "repo.content"')
  await expect(deliveries.getByRole('region', { name: 'Response 200' })).toContainText('I have it.')
  await deliveries.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('It is on its way again')).toBeVisible()
  await expect(deliveries.getByText('succeeded')).toHaveCount(3)
  const id = page.url().split('/').at(-1) ?? ''
  const told = await person.native<{ items: Delivery[] }>('GET', `/webhooks/${id}/deliveries`)
  expect(told.items.map(({ event, status }) => `${event} ${status}`)).toEqual([
    'repo.content succeeded',
    'repo.content succeeded',
    'test succeeded',
  ])
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    told.items.map((delivery) => delivery.id).toReversed(),
  )

  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit webhook' })
  await edit.getByLabel('Jobs: finished').check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toHaveCount(0)
  await page.getByRole('switch', { name: 'Switched on' }).click()
  await expect
    .poll(() => person.native('GET', `/webhooks/${id}`))
    .toMatchObject({ active: false, events: ['repo', 'repo.content', 'discussion', 'job'] })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page).toHaveURL(/\/settings\/webhooks$/)
  await expect(page.getByRole('link', { name: receiver.url })).toHaveCount(0)
  receiver.stop()
})
