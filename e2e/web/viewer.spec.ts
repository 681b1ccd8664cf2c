import type { Download } from '@playwright/test'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { plainParquet } from '../../api/core/parsers/testing/parquet.ts'
import { whenConverted } from './datasets.ts'
import { expect, givenRepo, scriptOf, test, type GivenRepo, type Page, type Person } from './fixtures.ts'
import { checkWidth, expectNoFault, narrow, shoot, wide } from './look.ts'
import { measuredOf, watchPage } from './measuring.mjs'
import { commitBytes } from './tensors.ts'

const rows = 1200
/** Beyond 2^53: a double would show another number. */
const bigId = (i: number) => (9_007_199_254_740_993n + BigInt(i)).toString()
const sentiments = ['bad', 'good', 'fine']

const csv = [
  'id,name,score,sentiment',
  ...Array.from({ length: rows }, (_, i) => {
    const name = i % 400 === 7 ? `needle ${i}` : `"name, ${i} <b>not bold</b>"`
    return [bigId(i), name, i % 10 === 3 ? '' : (i % 100) / 8, sentiments[i % 3]].join(',')
  }),
  '',
].join('\n')

/** A public dataset whose rows are converted, and whose statistics are made. */
async function givenTable(person: Person, server: { url: string }): Promise<GivenRepo> {
  const readme = '---\nlicense: mit\n---\n# A table\n\nAbout these rows.\n'
  const repo = await givenRepo(person, { type: 'dataset', files: { 'README.md': readme, 'data.csv': csv } })
  await whenConverted(person, server, repo, rows)
  return repo
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Rows of default / train' })

async function expectNoFaultAtRest(page: Page) {
  await page.waitForFunction(() => document.getAnimations().every((it) => it.playState !== 'running'))
  await expectNoFault(page)
}

test('the rows of a dataset are previewed, scrolled to, searched, filtered, sorted and linked', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenTable(person, server)
  await page.goto(repo.page)
  const preview = page.getByRole('region', { name: 'First rows' })
  await expect(preview.getByRole('cell', { name: bigId(0) })).toBeVisible()
  await expect(preview).toContainText('1,200 rows')
  await preview.getByRole('link', { name: 'Open the viewer' }).click()

  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(rows + 1))
  await expect(grid(page).getByRole('gridcell', { name: 'name, 0 <b>not bold</b>' })).toBeVisible()
  await expect(grid(page).getByRole('gridcell', { name: bigId(1), exact: true })).toBeVisible()

  const goTo = page.getByRole('textbox', { name: 'Row to go to' })
  await goTo.fill('the last')
  await page.keyboard.press('Enter')
  // The browser says what the field wants, and goes nowhere.
  await expect(goTo).toBeFocused()
  await expect(page.locator('form input:invalid')).toHaveCount(1)
  await expect(goTo).toHaveAccessibleDescription('The number of a row, in digits')
  await expect(page).not.toHaveURL(/[?&]p=/)
  await goTo.fill('1,150')
  await page.keyboard.press('Enter')
  await expect(grid(page).getByRole('gridcell', { name: 'name, 1150 ' })).toBeVisible()
  await expect(page).toHaveURL(/[?&]p=11(&|$)/)

  await page.getByRole('searchbox', { name: 'Search in all rows' }).fill('needle')
  await expect(page.getByRole('status').filter({ hasText: 'Matches' })).toContainText('of 3')
  await expect(page).toHaveURL(/[?&]search=needle(&|$)/)
  await expect(grid(page).getByRole('rowheader', { name: '407' })).toBeVisible()

  await page.getByRole('button', { name: 'Show all rows' }).click()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const form = page.getByRole('form', { name: 'Filter' })
  await form.getByRole('button', { name: 'Add a condition' }).click()
  await form.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'score' })
  await form.getByRole('combobox', { name: 'Condition' }).selectOption({ label: '>=' })
  await form.getByRole('textbox', { name: 'Value' }).fill('12')
  await expect(form.getByRole('textbox', { name: 'As text' })).toHaveValue('"score" >= 12')
  await form.getByRole('button', { name: 'Apply' }).click()
  // Of each hundred rows 96, 97, 98 and 99.
  await expect(page.getByRole('status').filter({ hasText: 'Matches' })).toContainText('of 48')

  await page.getByRole('button', { name: 'Options of column id' }).click()
  await page.getByRole('menuitem', { name: 'Sort descending' }).click()
  await expect(grid(page).getByRole('rowheader').first()).toHaveText('1,199')
  await expect(grid(page).getByRole('columnheader', { name: /^id/ })).toHaveAttribute(
    'aria-sort',
    'descending',
  )

  await grid(page)
    .getByRole('gridcell', { name: bigId(1198), exact: true })
    .click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('Row 1,198')
  await expect(drawer.getByRole('region', { name: 'id' })).toContainText(bigId(1198))
  await drawer.getByRole('button', { name: 'Next row' }).click()
  await expect(drawer).toContainText('Row 1,197')
  await expect(page).toHaveURL(/[?&]row=1197(&|$)/)
  await page.reload()
  await expect(drawer).toContainText('Row 1,197')
  await expect(drawer.getByRole('region', { name: 'name' })).toContainText('name, 1197 <b>not bold</b>')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/row=/)
})

test('a filter that cannot be read says why, and a chart filters by what is pressed', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenTable(person, server)
  await page.goto(`${repo.page}/viewer/default/train?filter=${encodeURIComponent('"missing" = 1')}`)
  await expect(page.getByText('This filter cannot be read')).toBeVisible()
  await page.getByRole('button', { name: 'Show all rows' }).click()
  await grid(page)
    .getByRole('button', { name: /rows have no value here/ })
    .or(grid(page).getByTitle(/have no value here/))
    .click()
  await expect(page).toHaveURL(/filter=%22score%22\+IS\+NULL/)
  await expect(page.getByRole('status').filter({ hasText: 'Matches' })).toContainText('of 120')
})

test('the table is walked by keys', async ({ page, person, server }) => {
  const repo = await givenTable(person, server)
  await page.goto(`${repo.page}/viewer`)
  await expect(grid(page).getByRole('gridcell', { name: bigId(0), exact: true })).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('Control+End')
  await expect(grid(page).getByRole('gridcell', { name: bigId(rows - 1), exact: true })).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  const active = await grid(page).getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${active}"]`)).toHaveText(bigId(rows - 2))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Row 1,198')
  await page.keyboard.press('j')
  await expect(page.getByRole('dialog')).toContainText('Row 1,199')
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
})

async function bytesOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const parquetRows = (file: Buffer) => parquetReadObjects({ file: new Uint8Array(file).buffer, compressors })

test('the rows of a filter are taken along as CSV, JSONL and Parquet', async ({ page, person, server }) => {
  const repo = await givenTable(person, server)
  await page.goto(`${repo.page}/viewer/default/train?search=needle`)
  await expect(page.getByRole('status').filter({ hasText: 'Matches' })).toContainText('of 3')
  const save = async (format: string) => {
    await page.getByRole('button', { name: 'Download' }).click()
    const download = page.waitForEvent('download')
    await page
      .getByRole('menuitem', { name: `as ${format}` })
      .first()
      .click()
    return bytesOf(await download)
  }
  expect((await save('CSV')).toString()).toMatch(
    new RegExp(`^id,name,score,sentiment\\r\\n${bigId(7)},needle 7,`),
  )
  expect((await save('JSONL')).toString().split('\n')[0]).toContain(`{"id":${bigId(7)},"name":"needle 7"`)
  expect(await parquetRows(await save('Parquet'))).toMatchObject([
    { id: BigInt(bigId(7)), name: 'needle 7' },
    { id: BigInt(bigId(407)), name: 'needle 407' },
    { id: BigInt(bigId(807)), name: 'needle 807' },
  ])
})

test('a job writes many rows as Parquet, and its page has the link', async ({ page, person, server }) => {
  const many = 10_500
  const lines = Array.from({ length: many }, (_, i) => `${i},${i % 2 === 0 ? 'even' : 'odd'}`)
  const text = ['id,kind', ...lines, ''].join('\n')
  const repo = await givenRepo(person, { type: 'dataset', files: { 'data.csv': text } })
  await whenConverted(person, server, repo, many)
  await page.goto(`${repo.page}/viewer/default/train?sort=${encodeURIComponent('"id" DESC')}`)
  await expect(grid(page).getByRole('rowheader').first()).toHaveText('10,499')
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByText('All 10,500 rows')).toBeVisible()

  await page.getByRole('menuitem', { name: /^as Parquet/ }).click()
  await expect(page).toHaveURL(/\/jobs\//)
  const link = page.getByRole('link', { name: 'Download', exact: true })
  await expect(link).toBeVisible({ timeout: 60_000 })

  const download = page.waitForEvent('download')
  await link.click()
  const rows = await parquetRows(await bytesOf(await download))
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([
    many,
    { id: 10_499n, kind: 'odd' },
    { id: 0n, kind: 'even' },
  ])
})

test('the viewer, its embedded form and a data file have no fault in either theme, wide and narrow', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenTable(person, server)
  const addresses = {
    viewer: `${repo.page}/viewer`,
    embedded: `${repo.page}/embed/viewer/default/train`,
    'data-file': `${repo.page}/blob/main/data.csv`,
  }
  for (const [name, address] of Object.entries(addresses)) {
    await page.setViewportSize(wide)
    await page.goto(address)
    await expect(page.getByRole('grid').getByRole('gridcell', { name: 'name, 0 ' })).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const size of [wide, narrow]) {
        await page.setViewportSize(size)
        await expectNoFaultAtRest(page)
        await checkWidth(page, `${name} at ${size.width}`)
        await shoot(page, `${name}-${colorScheme}-${size.width}`)
      }
    }
  }
})

test('a data file is a table, and a text when asked', async ({ page, person }) => {
  const repo = await givenRepo(person, { type: 'dataset', files: { 'data.csv': csv } })
  await page.goto(`${repo.page}/blob/main/data.csv`)
  const table = page.getByRole('grid', { name: 'Rows of data.csv' })
  await expect(table.getByRole('gridcell', { name: bigId(0), exact: true })).toBeVisible()
  await table.focus()
  await page.keyboard.press('Control+End')
  await expect(table.getByRole('gridcell', { name: bigId(rows - 1), exact: true })).toBeVisible()
  await page.getByText('Code', { exact: true }).click()
  await expect(page.getByText('id,name,score,sentiment')).toBeVisible()
})

test('JSON Lines and Parquet files are tables on their pages', async ({ page, person }) => {
  const lines = ['{"animal": "heron", "legs": 2}', '{"animal": "otter", "legs": 4}']
  const repo = await givenRepo(person, { files: { 'data/lines.jsonl': `${lines.join('\n')}\n` } })
  await commitBytes(person, repo, { 'data/rows.parquet': plainParquet })
  await page.goto(`${repo.page}/blob/main/data/lines.jsonl`)
  const shown = page.getByRole('grid', { name: 'Rows of lines.jsonl' })
  await expect(shown.getByRole('columnheader', { name: /^animal/ })).toBeVisible()
  await expect(shown.getByRole('gridcell', { name: 'otter', exact: true })).toBeVisible()
  await page.getByText('Code', { exact: true }).click()
  await expect(page.getByText('"animal": "heron"')).toBeVisible()

  await page.goto(`${repo.page}/blob/main/data/rows.parquet`)
  const parquet = page.getByRole('grid', { name: 'Rows of rows.parquet' })
  await expect(parquet.getByRole('columnheader', { name: /^a/ })).toBeVisible()
  await expect(parquet.getByRole('gridcell', { name: '3', exact: true })).toBeVisible()
  await expect(page.getByText('Code', { exact: true })).toHaveCount(0)
})

test('other sites may show the rows of a dataset, and nothing else', async ({ page, person, server }) => {
  const repo = await givenTable(person, server)
  const policyOf = async (path: string) =>
    (await page.request.get(server.url + path, { headers: { accept: 'text/html' } })).headers()[
      'content-security-policy'
    ]
  expect(await policyOf(`${repo.page}/embed/viewer/default/train`)).toContain('frame-ancestors *')
  expect(await policyOf(`${repo.page}/viewer/default/train`)).toContain("frame-ancestors 'none'")
  await page.goto(`${repo.page}/embed/viewer/default/train`)
  await expect(grid(page).getByRole('gridcell', { name: 'name, 0 ' })).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
})

test('a dataset opened before its files are read shows its rows once they are', async ({
  page,
  newcomer,
}) => {
  const repo = await givenRepo(newcomer, { type: 'dataset', files: { 'a.csv': 'a,b\n1,2\n3,4\n' } })
  await expect.poll(() => newcomer.native('GET', repo.api)).toMatchObject({ index_status: 'ready' })
  let isFirst = true
  // The file of a page brings its answers along: only a page reached from another asks.
  await page.route(`**${repo.api}`, async (route) => {
    const response = await route.fetch()
    const answer: unknown = await response.json()
    const early = isFirst ? { index_status: 'pending', formats: [] } : {}
    isFirst = false
    await route.fulfill({ response, json: Object.assign({}, answer, early) })
  })
  await page.goto(`/${newcomer.username}`)
  await page.getByRole('region', { name: 'datasets' }).getByRole('link', { name: repo.name }).click()
  await expect(
    page.getByRole('region', { name: 'First rows' }).getByRole('cell', { name: '3' }),
  ).toBeVisible()
  expect(isFirst).toBe(false)
})

test('the card of a dataset stays in its place while its first rows come', async ({ page, newcomer }) => {
  const card = `# Data\n\n${'Text of the card.\n\n'.repeat(10)}`
  const repo = await givenRepo(newcomer, {
    type: 'dataset',
    files: { 'README.md': card, 'a.csv': 'a,b\n1,2\n3,4\n' },
  })
  await expect.poll(() => newcomer.native('GET', repo.api)).toMatchObject({ index_status: 'ready' })
  await watchPage(page)
  await page.route(scriptOf('features/datasets/preview.tsx'), async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.goto(repo.page)
  await expect(
    page.getByRole('region', { name: 'First rows' }).getByRole('cell', { name: '3' }),
  ).toBeVisible()
  expect((await measuredOf(page)).shift).toBeLessThanOrEqual(0.02)
})
