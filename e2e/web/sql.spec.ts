import { readFile } from 'node:fs/promises'
import { whenConverted } from './datasets.ts'
import { expect, givenRepo, scriptOf, test } from './fixtures.ts'
import { expectNoFault, shootAll } from './look.ts'

const csv = [
  'id,name,score',
  ...Array.from({ length: 700 }, (_, i) => `${i},name ${i % 7},${i / 2}`),
  '',
].join('\n')

test('a dataset is queried by SQL, and the result is shared and downloaded', async ({
  page,
  person,
  server,
}) => {
  test.setTimeout(240_000)
  const repo = await givenRepo(person, {
    type: 'dataset',
    files: { 'README.md': '# A table\n', 'data.csv': csv },
  })
  await whenConverted(person, server, repo, 700)
  await page.goto(`/datasets/${repo.ns}/${repo.name}/viewer`)
  await page.getByRole('link', { name: 'SQL' }).click({ timeout: 60_000 })
  const statement = page.getByRole('textbox', { name: 'SQL statement' })
  await expect(statement).toHaveValue('SELECT * FROM train LIMIT 100', { timeout: 60_000 })

  await statement.fill(
    'SELECT name, count(*) AS n, avg(score) AS mean FROM train GROUP BY name ORDER BY name',
  )
  await statement.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: '7 rows' })).toBeVisible({ timeout: 60_000 })
  const rows = page.getByRole('region', { name: 'Rows of the query' })
  await expect(rows.getByRole('row').nth(1)).toHaveText(/name 0\s*100\s*173\.25/)
  await expectNoFault(page)
  await shootAll(page, 'sql')

  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, 2)).toEqual([
    'name,n,mean',
    'name 0,100,173.25',
  ])

  // The address holds the statement.
  await page.goto(new URL(page.url(), server.url).href)
  await expect(rows.getByRole('row').nth(7)).toContainText('name 6', { timeout: 60_000 })

  await statement.fill("SELECT * FROM read_text('/etc/passwd')")
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByText('The function read_text is not allowed here')).toBeVisible({ timeout: 60_000 })
})

test('a page that loads slowly is opened though the rows were just scrolled', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { type: 'dataset', files: { 'data.csv': csv } })
  await whenConverted(person, server, repo, 700)
  // Longer than a scroll rests before the address says where it is.
  await page.route(scriptOf('features/datasets/sql.page.tsx'), async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await page.goto(`/datasets/${repo.ns}/${repo.name}/viewer`)
  const grid = page.getByRole('grid', { name: 'Rows of default / train' })
  await grid.focus()
  await page.keyboard.press('Control+End')
  await expect(grid.getByRole('gridcell', { name: '699', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'SQL' }).click()
  await expect(page.getByRole('textbox', { name: 'SQL statement' })).toBeVisible()
})
