import { whenConverted } from '../datasets.ts'
import { expect, givenRepo, test } from '../fixtures.ts'
import { type, typeValue } from './typing.ts'

const csv = [
  'id,name,score',
  ...Array.from({ length: 700 }, (_, i) => `${i},name ${i % 7},${i / 2}`),
  '',
].join('\n')

test('the table of a dataset is scrolled and filtered, and queried by SQL', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { type: 'dataset', files: { 'data.csv': csv } })
  await whenConverted(person, server, repo, 700)
  await page.goto(`${repo.page}/viewer`)
  const grid = page.getByRole('grid', { name: 'Rows of default / train' })
  await expect(grid).toHaveAttribute('aria-rowcount', '701')
  await grid.hover()
  await page.mouse.wheel(0, 3000)
  await expect(grid.getByRole('gridcell', { name: '0', exact: true })).toHaveCount(0)
  await grid.focus()
  await page.keyboard.press('Control+End')
  await expect(grid.getByRole('gridcell', { name: '699', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const form = page.getByRole('form', { name: 'Filter' })
  await form.getByRole('button', { name: 'Add a condition' }).click()
  await form.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'score' })
  await form.getByRole('combobox', { name: 'Condition' }).selectOption({ label: '>=' })
  await typeValue(form.getByRole('textbox', { name: 'Value' }), '345')
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Matches' })).toContainText('of 10')

  await page.getByRole('link', { name: 'SQL' }).click()
  const statement = page.getByRole('textbox', { name: 'SQL statement' })
  await expect(statement).toHaveValue('SELECT * FROM train LIMIT 100')
  await type(statement, 'SELECT name, count(*) AS n FROM train GROUP BY name ORDER BY name')
  await statement.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: '7 rows' })).toBeVisible()
  const rows = page.getByRole('region', { name: 'Rows of the query' })
  await expect(rows.getByRole('row').nth(1)).toHaveText(/name 0\s*100/)
})
