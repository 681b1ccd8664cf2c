import { expect, fresh, givenRepo, test, type Page } from './fixtures.ts'

const card = (lines: string[]) => ['---', ...lines, '---', ''].join('\n')
const found = (page: Page) => page.getByText(/^\d+ found$/)

test('bookmarks of lists on the public hub work here, and a change writes our own names', async ({
  page,
  person,
}) => {
  const tag = fresh('mark')
  const wanted = card(['license: mit', 'language: fr', 'pipeline_tag: fill-mask', `tags: [${tag}, four-bit]`])
  const repo = await givenRepo(person, { files: { 'README.md': wanted } })
  const other = await givenRepo(person, {
    files: { 'README.md': card(['license: apache-2.0', `tags: [${tag}]`]) },
  })
  const linkTo = ({ name }: { name: string }) =>
    page.getByRole('link', { name: `${person.username}/${name}` })
  const bookmark =
    `/models?pipeline_tag=fill-mask&license=license:mit&language=language:fr&other=${tag},four-bit` +
    `&author=${person.username}&search=model&sort=modified&apps=vllm`
  await page.goto(bookmark)
  await expect(found(page)).toHaveText('1 found')
  await expect(linkTo(repo)).toBeVisible()
  await expect(page).toHaveURL(bookmark)
  await expect(page.getByRole('searchbox', { name: 'Filter models' })).toHaveValue('model')
  await expect(page.getByRole('button', { name: /^mit/ })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: /^mit/ }).click()
  await expect(page).toHaveURL(/[?&]task=fill-mask/)
  const query = new URL(page.url()).searchParams
  expect(Object.fromEntries(query)).toEqual({
    q: 'model',
    ns: person.username,
    task: 'fill-mask',
    language: 'fr',
    tag: `${tag},four-bit`,
    sort: 'updated',
    apps: 'vllm',
  })
  await page.getByRole('button', { name: `Remove the filter Tag: ${tag},four-bit` }).click()
  await page.getByRole('region', { name: 'Language' }).getByRole('button', { name: /^fr/ }).click()
  await expect(page.getByRole('button', { name: 'Remove the filter Owner:' })).toBeVisible()

  await page.goto(`/models?other=${tag}&sort=created`)
  await expect(found(page)).toHaveText('2 found')
  await expect(page.getByLabel('Sort by')).toHaveValue('created')
  await page.goto(`/models?search=${tag}`)
  await expect(found(page)).toHaveText('2 found')
  await expect(linkTo(other)).toBeVisible()
})

test('bookmarks of datasets name their tasks and sizes as the public hub does', async ({ page, person }) => {
  const tag = fresh('mark')
  const text = card(['task_categories: [translation]', 'size_categories: n<1K', `tags: [${tag}]`])
  await givenRepo(person, { type: 'dataset', files: { 'README.md': text } })
  await givenRepo(person, { type: 'dataset', files: { 'README.md': card([`tags: [${tag}]`]) } })
  await page.goto(
    `/datasets?task_categories=task_categories:translation&size_categories=size_categories:n%3C1K&other=${tag}`,
  )
  await expect(found(page)).toHaveText('1 found')
})

test('filters are written in the search of a list, as in `license:mit`', async ({ page, person }) => {
  const tag = fresh('written')
  const wanted = await givenRepo(person, { files: { 'README.md': card(['license: mit', `tags: [${tag}]`]) } })
  await givenRepo(person, { files: { 'README.md': card(['license: apache-2.0', `tags: [${tag}]`]) } })
  await page.goto('/models')
  const field = page.getByRole('searchbox', { name: 'Filter models' })
  await field.click()
  await page.keyboard.type('m')
  await expect(page).toHaveURL(/[?&]q=m$/)
  // The field is the same one while the address changes.
  await page.keyboard.type(`odel tag:${tag} `)
  await expect(field).toHaveValue('model')
  await expect(found(page)).toHaveText('2 found')
  await page.keyboard.type(' license:mit')
  await expect(found(page)).toHaveText('2 found')
  await page.keyboard.press('Enter')
  await expect(found(page)).toHaveText('1 found')
  await expect(field).toHaveValue('model')
  await expect(field).toBeFocused()
  await expect(page.getByRole('link', { name: `${person.username}/${wanted.name}` })).toBeVisible()
  await expect(page.getByRole('button', { name: /^mit/ })).toHaveAttribute('aria-pressed', 'true')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: 'model', tag, licence: 'mit' })
  await field.fill('')
  await expect(found(page)).toHaveText('1 found')
  await expect(field).toBeFocused()
})
