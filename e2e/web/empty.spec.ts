import { givenCollection } from './collections.ts'
import { expect, givenRepo, test } from './fixtures.ts'
import { shootAll } from './look.ts'

test('an empty page has a picture of what would be on it, for which a full one sends nothing', async ({
  page,
  newcomer,
}) => {
  const repo = await givenRepo(newcomer)
  const collection = await givenCollection(newcomer)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/models')
  await expect(page.getByRole('link', { name: repo.page.slice(1) })).toBeVisible()
  const ofLists = new Set(asked)

  const pictures: Record<string, string> = {
    '/models?q=nothing-has-this-name': 'search',
    [`${repo.page}/discussions`]: 'talk',
    '/jobs': 'gears',
    '/settings/notifications': 'bell',
    '/settings/tokens': 'key',
    '/settings/webhooks': 'plug',
    '/settings/deleted': 'box',
    [collection.page]: 'collection',
    [`/${newcomer.username}/absent`]: 'search',
  }
  for (const [address, picture] of Object.entries(pictures)) {
    await page.goto(address)
    await expect(page.locator('svg[data-picture]'), address).toHaveAttribute('data-picture', picture)
    await shootAll(page, `empty-${picture}`)
  }
  const responses = await Promise.all(
    [...ofLists].filter((path) => path.endsWith('.js')).map((path) => page.request.get(path)),
  )
  expect(responses.length).toBeGreaterThan(3)
  const texts = await Promise.all(responses.map((response) => response.text()))
  expect(texts.filter((text) => text.includes('data-picture'))).toEqual([])
})
