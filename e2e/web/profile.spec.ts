import type { Locator } from '@playwright/test'
import { expect, fresh, givenRepo, signIn, test } from './fixtures.ts'
import { lookAt } from './look.ts'

test('a profile shows what the person did, to those who may see the repos', async ({
  page,
  newcomer,
  stranger,
  browser,
  server,
}) => {
  const activity = page.getByRole('region', { name: 'activity' })
  await page.goto(`/${newcomer.username}`)
  await expect(activity.getByText('No activity yet')).toBeVisible()

  const shown = await givenRepo(newcomer, { files: { 'config.json': '{}' } })
  const hidden = await givenRepo(newcomer, { visibility: 'private', type: 'dataset' })
  await newcomer.native('POST', `${shown.api}/discussions`, { title: 'Which licence?', body: 'I ask.' })
  await page.reload()
  await expect(activity.getByText(`Created the dataset ${hidden.ns}/${hidden.name}`)).toBeVisible()
  await expect(activity.getByRole('listitem').first()).toContainText('Opened a discussion in')
  await activity.getByRole('link', { name: 'Add files' }).click()
  await expect(page.getByText('config.json').first()).toBeVisible()

  const theirs = await browser.newContext({ baseURL: server.url })
  await signIn(theirs, server.url, stranger)
  const looking = await theirs.newPage()
  await looking.goto(`/${newcomer.username}`)
  const seen = looking.getByRole('region', { name: 'activity' })
  await expect(seen.getByText(`Created the model ${shown.ns}/${shown.name}`)).toBeVisible()
  await expect(seen.getByText(hidden.name)).toHaveCount(0)
  await seen.getByRole('link', { name: 'Which licence?' }).click()
  await expect(looking.getByRole('heading', { name: 'Which licence?' })).toBeVisible()
  await theirs.close()
})

test('a calendar counts what the person did by day, as far as the viewer may see it', async ({
  page,
  newcomer,
  stranger,
  browser,
  server,
}) => {
  const activity = page.getByRole('region', { name: 'activity' })
  await page.goto(`/${newcomer.username}`)
  await expect(activity.getByText('No contributions in the last year')).toBeVisible()

  await givenRepo(newcomer)
  const hidden = await givenRepo(newcomer, { visibility: 'private' })
  await newcomer.native('POST', `${hidden.api}/discussions`, { title: 'Which licence?', body: 'I ask.' })
  await page.reload()
  await expect(activity.getByText('3 contributions in the last year', { exact: true })).toBeVisible()
  const calendar = activity.getByRole('img', { name: '3 contributions in the last year, by UTC day' })
  await expect(calendar.locator('rect[data-level="4"]')).toHaveCount(1)
  await expect(calendar.locator('rect[data-level="4"] title')).toHaveText(/^3 on \w+ \d+, \d{4}$/)
  await expect(activity.getByRole('row')).toHaveCount(1)

  await page.setViewportSize({ width: 390, height: 900 })
  const scroller = activity.getByRole('group', { name: 'calendar' })
  const scrolled = () => scroller.evaluate((place) => place.scrollLeft)
  await page.reload()
  await expect.poll(scrolled).toBeGreaterThan(0)
  const newest = await scrolled()
  await scroller.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(scrolled).toBeLessThan(newest)
  await lookAt(page, { calendar: `/${newcomer.username}` }, () => expect(calendar).toBeVisible())

  const theirs = await browser.newContext({ baseURL: server.url })
  await signIn(theirs, server.url, stranger)
  const looking = await theirs.newPage()
  await looking.goto(`/${newcomer.username}`)
  const seen = looking.getByRole('region', { name: 'activity' })
  await expect(seen.getByText('1 contribution in the last year', { exact: true })).toBeVisible()
  await theirs.close()
})

test('more activity than fits is shown page by page', async ({ page, newcomer }) => {
  const repo = await givenRepo(newcomer)
  for (let i = 1; i <= 12; i++)
    await newcomer.native('POST', `${repo.api}/discussions`, { title: `Question ${i}`, body: 'I ask.' })
  await page.goto(`/${newcomer.username}`)
  const activity = page.getByRole('region', { name: 'activity' })
  await expect(activity.getByRole('link', { name: 'Question 12' })).toBeVisible()
  await expect(activity.getByRole('listitem')).toHaveCount(10)
  await activity.getByRole('button', { name: 'Show more' }).click()
  await expect(activity.getByRole('listitem')).toHaveCount(13)
})

test('people and organisations have pictures of their initials, members on the page of theirs', async ({
  page,
  newcomer,
  stranger,
}) => {
  const ns = fresh('org')
  await newcomer.native('POST', '/orgs', { ns, display_name: 'Number Works' })
  await newcomer.native('PUT', `/orgs/${ns}/members/${stranger.username}`, { role: 'read' })
  await newcomer.native('PATCH', '/me', { display_name: 'Ada Lovelace' })
  await page.goto(`/${ns}`)
  for (const { username } of [newcomer, stranger]) {
    const member = page.getByRole('link', { name: username, exact: true })
    await expect(member.locator('img')).toHaveJSProperty('complete', true)
    expect(await member.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(
      0,
    )
  }
  const letters = async (name: string) =>
    />([^<>]*)<\/text>/.exec(await (await page.request.get(`/avatars/${name}.svg`)).text())?.[1]
  expect([await letters(ns), await letters(newcomer.username)]).toEqual(['NW', 'AL'])
  await page.getByRole('link', { name: newcomer.username, exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
})

/** Whether a picture has come and can be drawn. */
const isDrawn = (picture: Locator) =>
  picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)

test('a profile has its initials, its repos and its activity, and leads from each to what it shows', async ({
  page,
  newcomer,
}) => {
  const { username } = newcomer
  await newcomer.native('PATCH', '/me', { display_name: 'Ada Lovelace' })
  const model = await givenRepo(newcomer, { files: { 'config.json': '{}' } })
  const dataset = await givenRepo(newcomer, { type: 'dataset', files: { 'a.csv': 'n\n1\n' } })
  const ns = fresh('org')
  await newcomer.native('POST', '/orgs', { ns, display_name: 'Number Works' })
  await lookAt(page, { profile: `/${username}`, organisation: `/${ns}` })

  await page.goto(`/${username}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  const picture = page.locator(`main img[src^="/avatars/${username}.svg"]`).first()
  await expect.poll(() => isDrawn(picture)).toBe(true)
  const source = (await picture.getAttribute('src')) ?? ''
  expect(await (await page.request.get(source)).text()).toContain('>AL</text>')
  for (const [region, { name }] of [
    ['models', model],
    ['datasets', dataset],
  ] as const)
    await expect(page.getByRole('region', { name: region }).getByRole('link', { name })).toBeVisible()
  const activity = page.getByRole('region', { name: 'activity' })
  await expect(activity.getByText(`Created the dataset ${dataset.ns}/${dataset.name}`)).toBeVisible()
  await activity.getByRole('link', { name: 'Add files' }).last().click()
  await expect(page.getByText('config.json').first()).toBeVisible()
  await page.goto(`/${username}`)
  await page.getByRole('region', { name: 'models' }).getByRole('link', { name: model.name }).click()
  await expect(page).toHaveURL(model.page)
})

test('an organisation shows its first members by their avatars, and all when asked', async ({
  page,
  newcomer,
  server,
}) => {
  const ns = fresh('big')
  await newcomer.native('POST', '/orgs', { ns })
  const members = [newcomer.username]
  const admin = await server.login()
  while (members.length < 33) {
    const username = fresh('mem')
    await admin.native('POST', '/admin/users', { username })
    await newcomer.native('PUT', `/orgs/${ns}/members/${username}`, { role: 'read' })
    members.push(username)
  }
  await page.goto(`/${ns}`)
  const shown = page.getByRole('region', { name: 'Members' }).getByRole('link')
  await expect(shown).toHaveCount(30)
  await page.getByRole('region', { name: 'Members' }).getByRole('button', { name: 'Show more' }).click()
  await expect(shown).toHaveCount(33)
  for (const member of await shown.all()) {
    await member.scrollIntoViewIfNeeded()
    await expect.poll(() => isDrawn(member.locator('img'))).toBe(true)
    expect(members).toContain((await member.getAttribute('aria-label')) ?? '')
  }
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Organisation settings' }).click()
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(33)
})
