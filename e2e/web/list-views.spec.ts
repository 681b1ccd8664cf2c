import { expect, givenRepo, test } from './fixtures.ts'
import { checkWidth, narrow, shootAll, wide } from './look.ts'
import { commitBytes, weights } from './tensors.ts'

const head = (tags: string[], more: string[] = []) =>
  `---\n${['license: mit', `tags: [${tags.join(', ')}]`, ...more].join('\n')}\n---\n# A model\n\nWhat it is for.\n`

test('a list is drawn in lines, in dense lines and as cards, and the browser keeps which', async ({
  page,
  person,
}) => {
  const repos = [await givenRepo(person), await givenRepo(person)]
  await page.goto(`/models?search=${person.username}`)
  const row = (name: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: new RegExp(`${name}$`) }) })
  const boxes = () => Promise.all(repos.map(async ({ name }) => row(name).boundingBox()))
  await expect(row(repos[0]?.name ?? '')).toBeVisible()
  const [lines] = await boxes()
  await page.getByRole('button', { name: 'Dense list' }).click()
  await expect.poll(async () => (await boxes())[0]?.height).toBeLessThan((lines?.height ?? 0) * 0.7)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Dense list' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Cards' }).click()
  // Side by side.
  await expect
    .poll(async () => {
      const [a, b] = await boxes()
      return a?.y === b?.y && a?.x !== b?.x
    })
    .toBe(true)
  await page.getByRole('button', { name: 'List', exact: true }).click()
})

test('a repo has four tags, on a phone two, and the rest behind a count, downloads beside the card, and the last commit above its files', async ({
  page,
  person,
}) => {
  const tags = ['tag-1', 'tag-2', 'tag-3', 'tag-4', 'tag-5', 'tag-6']
  const files = { 'README.md': head(tags, ['library_name: transformers', 'pipeline_tag: text-generation']) }
  const repo = await givenRepo(person, { files })
  await page.goto(repo.page)
  await expect(page.getByText('Downloads, 30 days')).toBeVisible()
  const shown = page.getByRole('group', { name: 'Tags' })
  const lines = async () => {
    const boxes = await Promise.all((await shown.locator('> :visible').all()).map((one) => one.boundingBox()))
    return new Set(boxes.map((box) => box?.y)).size
  }
  const first = ['text-generation', 'transformers', 'mit', 'tag-1']
  await expect(shown.getByRole('link')).toHaveText(first)
  const more = shown.getByRole('button', { name: 'Show 5 more tags' })
  await expect(more).toHaveText('+5')
  expect(await lines()).toBe(1)
  await page.setViewportSize(narrow)
  await expect(shown.getByRole('link')).toHaveText(first.slice(0, 2))
  expect(await lines()).toBe(1)
  await checkWidth(page, 'tags')
  await shootAll(page, 'tags')
  await shown.getByRole('button', { name: 'Show 7 more tags' }).click()
  await expect(shown.getByRole('link')).toHaveText([...first, ...tags.slice(1)])
  await expect(shown.getByRole('button')).toHaveCount(0)
  await shootAll(page, 'all-tags')
  await page.setViewportSize(wide)
  await page.goto(`${repo.page}/tree/main`)
  // The bar alone has the commit's hash.
  await expect(page.getByText(/^[0-9a-f]{8}$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add files' }).first()).toBeVisible()
})

test('a filter changes the counts beside the others, and moves none of them', async ({ page, newcomer }) => {
  const cards = [
    'license: mit\nlibrary_name: lib-a\nlanguage: en',
    'license: mit\nlibrary_name: lib-b\nlanguage: de',
    'license: apache-2.0\nlibrary_name: lib-b\nlanguage: de',
    'license: apache-2.0\nlibrary_name: lib-b\nlanguage: fr',
  ]
  for (const card of cards) await givenRepo(newcomer, { files: { 'README.md': `---\n${card}\n---\n# A` } })
  await page.goto(`/models?ns=${newcomer.username}`)
  const filters = page.getByRole('complementary', { name: 'Filters' })
  const counts = () => filters.getByRole('button').allInnerTexts()
  const placesNow = () =>
    filters.getByRole('button').evaluateAll((all) =>
      all.map((button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return [x, y, width, height]
      }),
    )
  const value = (name: string) => filters.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(value('lib-b')).toHaveText(/3$/)
  const [before, places] = [await counts(), await placesNow()]

  // While the answer is awaited nothing is gone either.
  let answer = () => {}
  const isAsked = new Promise<void>((asked) => {
    void page.route(/\/api\/.*library=lib-a/, async (route) => {
      asked()
      await new Promise<void>((resolve) => (answer = resolve))
      await route.continue()
    })
  })
  await value('lib-a').click()
  await isAsked
  expect(await placesNow()).toEqual(places)
  answer()
  await expect(value('de')).toHaveText(/0$/)
  expect(await placesNow()).toEqual(places)
  await expect(value('de')).toBeDisabled()
  await expect(value('lib-b')).toHaveText(/3$/)
  await expect(value('mit')).toHaveText(/1$/)
  await value('lib-a').click()
  await expect.poll(counts).toEqual(before)
  expect(await placesNow()).toEqual(places)
})

test('a row has what a repo is, hides counts of zero, and its figures stand below those of other rows', async ({
  page,
  newcomer,
}) => {
  const facts = ['library_name: transformers', 'pipeline_tag: text-generation']
  const full = await givenRepo(newcomer, { files: { 'README.md': head(['tag-1'], facts) } })
  await commitBytes(newcomer, full, { 'model.safetensors': weights({ a: ['BF16', [1_000, 1_000]] }) })
  await newcomer.native('PATCH', full.api, { description: 'Writes short letters.' })
  await expect.poll(() => newcomer.native('GET', full.api)).toMatchObject({ parameters: 1_000_000 })
  const bare = await givenRepo(newcomer)
  await page.goto(`/models?ns=${newcomer.username}`)
  const row = ({ ns, name }: { ns: string; name: string }) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: `${ns}/${name}`, exact: true }) })
  const picture = row(full).getByRole('presentation')
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  for (const text of ['Writes short letters.', 'text-generation', 'transformers', 'mit', '1M params'])
    await expect(row(full).getByText(text, { exact: true })).toBeVisible()
  await shootAll(page, 'rows')
  await page.setViewportSize(wide)

  const kinds = ['size', 'downloads', 'likes', 'time']
  const cell = (repo: typeof full, kind: string) => row(repo).locator(`[data-kind="${kind}"]`)
  await expect(cell(full, 'downloads')).toHaveText('')
  await expect(cell(full, 'likes')).toHaveText('')
  await expect(cell(full, 'size')).toHaveText('2.00 MB')
  // The answer of the server with counts that would take long to come by.
  await page.route(/\/repos\?/, async (route) => {
    const answer = await route.fetch()
    const list = (await answer.json()) as { items: { name: string; likes: number; downloads_30d: number }[] }
    for (const item of list.items)
      if (item.name === full.name) Object.assign(item, { likes: 1234, downloads_30d: 5678 })
    await route.fulfill({ response: answer, json: list })
  })
  await page.getByLabel('Sort by').selectOption('name')
  await expect(cell(full, 'downloads')).toHaveText('5.7K')
  await expect(cell(full, 'likes')).toHaveText('1.2K')
  await expect(cell(bare, 'downloads')).toHaveText('')
  const edges = (repo: typeof full) =>
    Promise.all(
      kinds.map(async (kind) => {
        const box = await cell(repo, kind).boundingBox()
        return [box?.x, box?.width]
      }),
    )
  expect(await edges(full)).toEqual(await edges(bare))
  await page.getByRole('button', { name: 'Dense list' }).click()
  expect(await edges(full)).toEqual(await edges(bare))
})
