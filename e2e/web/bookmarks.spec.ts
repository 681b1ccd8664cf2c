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
