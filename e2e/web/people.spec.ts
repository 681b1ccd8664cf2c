import { readFile } from 'node:fs/promises'
import { expect, givenRepo, signIn, test, type Person } from './fixtures.ts'
import { expectNoFault } from './look.ts'

const card = `---
extra_gated_heading: Tell us about you
extra_gated_prompt: You agree to the *terms*.
extra_gated_button_content: I ask for access
extra_gated_fields:
  Company: text
  Use:
    type: select
    options: [Research, Education]
  I agree: checkbox
---
# Behind a gate
`

const givenGated = (person: Person) =>
  givenRepo(person, { gated: 'manual', files: { 'README.md': card, 'config.json': '{"hidden": 1}' } })

test('access to a gated repo is asked for, turned down with a reason, given, and used', async ({
  page,
  person,
  stranger,
  browser,
  server,
}) => {
  const repo = await givenGated(person)
  const theirs = await browser.newContext({ baseURL: server.url })
  await signIn(theirs, server.url, stranger)
  const asking = await theirs.newPage()
  const file = `${repo.page}/resolve/main/config.json`
  expect((await theirs.request.get(file)).status()).toBe(403)
  await asking.goto(repo.page)
  await expect(asking.getByText('You agree to the terms.')).toBeVisible()
  await asking.getByLabel('Company').fill('Acme')
  await asking.getByRole('button', { name: 'I ask for access' }).click()
  await expect(asking.getByText('must be agreed to')).toBeVisible()
  await asking.getByLabel('Use', { exact: true }).selectOption('Research')
  await asking.getByLabel('I agree').check()
  await asking.getByRole('button', { name: 'I ask for access' }).click()
  await expect(asking.getByText('Access requested')).toBeVisible()

  await page.goto(`${repo.page}/settings`)
  const requests = page.getByRole('region', { name: 'Access requests' })
  await expect(requests.getByText('Company: Acme')).toBeVisible()
  await requests.getByRole('button', { name: 'Reject' }).click()
  await requests.getByRole('textbox', { name: 'Reason' }).fill('Not this time')
  await requests.getByRole('button', { name: 'Reject' }).click()
  await expect(requests.getByText('No pending requests')).toBeVisible()
  await requests.getByText('rejected').click()
  await expect(requests.getByText('Reason: Not this time')).toBeVisible()
  await asking.reload()
  await expect(asking.getByText('Your last request was turned down')).toBeVisible()
  await requests.getByRole('button', { name: 'Accept' }).click()
  await expect(requests.getByText('No rejected requests')).toBeVisible()

  await asking.reload()
  await expect(asking.getByRole('heading', { name: 'Behind a gate' })).toBeVisible()
  await expect(asking.getByRole('button', { name: 'I ask for access' })).toHaveCount(0)
  const answer = await theirs.request.get(file)
  expect([answer.status(), await answer.text()]).toEqual([200, '{"hidden": 1}'])
  await theirs.close()
})

test('the page of a gated file has the request form in place of its buttons, and the file once access is given', async ({
  page,
  person,
  stranger,
  browser,
  server,
}) => {
  const repo = await givenGated(person)
  const theirs = await browser.newContext({ baseURL: server.url })
  const reader = await theirs.newPage()
  const main = reader.getByRole('main')
  const buttons = main.getByRole('link', { name: /^(Raw|Download)$/ })
  await reader.goto(`${repo.page}/blob/main/config.json`)
  await expect(main.getByRole('link', { name: 'Sign in to ask' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'History' })).toBeVisible()
  await expect(buttons).toHaveCount(0)

  await signIn(theirs, server.url, stranger)
  await reader.goto(`${repo.page}/tree/main`)
  await expect(main.getByRole('link', { name: 'config.json' }).first()).toBeVisible()
  await expect(buttons).toHaveCount(0)
  await reader.goto(`${repo.page}/blob/main/config.json`)
  await expect(main.getByText('Tell us about you')).toBeVisible()
  await expect(main.getByText('"hidden"')).toHaveCount(0)
  await expect(buttons).toHaveCount(0)
  await expectNoFault(reader)
  await main.getByRole('link', { name: 'Request access' }).click()
  await expect(reader).toHaveURL(/#access$/)
  await expect(main.getByLabel('Company')).toBeInViewport()
  await main.getByLabel('Company').fill('Acme')
  await main.getByLabel('Use', { exact: true }).selectOption('Education')
  await main.getByLabel('I agree').check()
  await main.getByRole('button', { name: 'I ask for access' }).click()
  await expect(main.getByText('The people who own this repo have yet to decide.')).toBeVisible()
  await expect(main.getByRole('link', { name: 'Access requested' })).toHaveAttribute('href', '#access')
  await expect(buttons).toHaveCount(0)

  await page.goto(`${repo.page}/settings`)
  const requests = page.getByRole('region', { name: 'Access requests' })
  await expect(requests.getByText('Use: Education')).toBeVisible()
  await requests.getByRole('button', { name: 'Accept' }).click()
  await expect(requests.getByText('No pending requests')).toBeVisible()
  await reader.reload()
  await expect(main.getByText('"hidden"')).toBeVisible()
  await expect(buttons).toHaveText(['Raw', 'Download'])
  await expect(main.getByRole('link', { name: 'Request access' })).toHaveCount(0)
  const begun = reader.waitForEvent('download')
  await main.getByRole('link', { name: 'Download' }).click()
  expect(await readFile(await (await begun).path(), 'utf8')).toBe('{"hidden": 1}')
  await theirs.close()
})

test('likes are listed by user and on the profile; insights and the list have the figures', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'config.json': '{}' } })
  await page.goto(repo.page)
  await page.getByRole('button', { name: 'Like, 0 so far' }).click()
  await page.getByRole('button', { name: '1 person likes this: show them' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: person.username })).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Insights' })
    .click()
  await expect(page.getByRole('heading', { name: 'Downloads' })).toBeVisible()
  await page.getByLabel('Span').selectOption('Last 90 days')
  await expect(page.getByText('All time')).toBeVisible()
  await person.native('POST', `${repo.api}/zip?rev=main`)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Jobs' }).getByText('zip.export')).toBeVisible()
  await page.goto(`/${person.username}`)
  await expect(
    page.getByRole('region', { name: 'likes' }).getByRole('link', { name: repo.name }),
  ).toBeVisible()
  await page.goto('/models?sort=trending')
  await expect(page.getByRole('link', { name: `${repo.ns}/${repo.name}` })).toBeVisible()
})

test('an instance admin sets a quota, which its members see', async ({
  browser,
  server,
  admin,
  stranger,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  await signIn(context, server.url, admin)
  const page = await context.newPage()
  await page.goto('/admin/quotas')
  await page.getByLabel(`Quota of ${stranger.username} in GB`).fill('2.5')
  await page.getByRole('button', { name: `Save the quota of ${stranger.username}` }).click()
  await expect(page.getByLabel(new RegExp(`^Storage of ${stranger.username}: .* of 2.50 GB$`))).toHaveCount(1)
  const { storage } = await stranger.native<{ storage: { quota_bytes?: number } }>(
    'GET',
    `/namespaces/${stranger.username}`,
  )
  expect(storage.quota_bytes).toBe(2_500_000_000)
  await page.getByLabel(`Quota of ${stranger.username} in GB`).fill('')
  await page.getByRole('button', { name: `Save the quota of ${stranger.username}` }).click()
  await expect(page.getByLabel(new RegExp(`^Storage of ${stranger.username}`))).toHaveCount(0)
  await context.close()
})
