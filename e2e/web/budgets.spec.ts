import type { Locator } from '@playwright/test'
import { givenPull } from './community.ts'
import { whenConverted } from './datasets.ts'
import { expect, givenRepo, signIn, test, type Page } from './fixtures.ts'
import { beginWatch, eventsOf, measuredOf, scrolled, watchPage } from './measuring.mjs'
import { watchRequests } from './requests.ts'
import { commitBytes, tinyGguf } from './tensors.ts'

const KB = 1000

/**
 * JavaScript that crosses the wire, compressed as the server sends it, until the page shows all that `complete` waits for
 * and asks for nothing more.
 */
async function scriptBytes(page: Page, address: string, complete: () => Promise<void>): Promise<number> {
  let total = 0
  const settled = watchRequests(page, 1000)
  page.on('response', (answer) => {
    const headers = answer.headers()
    if (headers['content-type']?.includes('javascript'))
      total += Number(headers['content-length'] ?? Number.NaN)
  })
  await page.goto(address)
  await complete()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await settled()
  return total
}

test('the first view of the lists and of a repo stays within its budget of JavaScript', async ({
  person,
  browser,
  server,
}) => {
  const text = '# Card\n\n<div align="center">HTML</div>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[link](x.md)\n'
  const repo = await givenRepo(person, { files: { 'README.md': text } })
  const num = await givenPull(person, repo, 'A change', { 'a.txt': 'a\n' }, 'Some *words*.')
  const firstView = async (address: string, complete: (page: Page) => Locator[]) => {
    const own = await browser.newContext({ baseURL: server.url })
    await signIn(own, server.url, person)
    const page = await own.newPage()
    const bytes = await scriptBytes(page, address, async () => {
      for (const part of complete(page)) await expect(part).toBeVisible()
    })
    await own.close()
    return bytes
  }
  const lists = await firstView('/models', (page) => [
    page.getByRole('main').getByRole('link', { name: `${repo.ns}/${repo.name}` }),
    page.getByRole('button', { name: /^Jobs/ }),
  ])
  const card = await firstView(repo.page, (page) => [
    page.getByRole('main').getByRole('heading', { name: 'Card' }),
    page.getByRole('main').getByRole('cell', { name: '2' }),
    page.getByText('Downloads, 30 days'),
  ])
  const thread = await firstView(`${repo.page}/discussions/${num}`, (page) => [
    page.getByRole('main').locator('em', { hasText: 'words' }),
    page.getByText('Can be merged into main'),
    page.getByRole('textbox', { name: 'Comment' }),
  ])
  const [ofLists, ofCard, ofThread] = [lists, card, thread].map((bytes) => (bytes / KB).toFixed(1))
  console.log(
    `JavaScript of the first view: /models ${ofLists} KB of 170, a repo ${ofCard} KB of 200 and a pull request ${ofThread} KB of 220`,
  )
  expect(lists).toBeLessThanOrEqual(170 * KB)
  expect(card).toBeLessThanOrEqual(200 * KB)
  expect(thread).toBeLessThanOrEqual(220 * KB)
  // A list needs less than a page with a card: counting stopped too early otherwise.
  expect(lists).toBeLessThan(card)
  expect(card).toBeLessThan(thread)
})

test('nothing jumps while a list, a card and a pull request load', async ({ page, person }) => {
  const repo = await givenRepo(person, {
    files: { 'README.md': '# Card\n\n'.concat('A paragraph.\n\n'.repeat(40)) },
  })
  await commitBytes(person, repo, { 'm-Q4_K_M.gguf': tinyGguf('a'), 'm-Q8_0.gguf': tinyGguf('b') })
  await expect.poll(() => person.native('GET', repo.api)).toMatchObject({ quants: ['Q4_K_M', 'Q8_0'] })
  const changes = { 'a.txt': 'a\n', 'b.txt': 'b\n'.repeat(30), 'README.md': '# Another card\n' }
  const pull = `${repo.page}/discussions/${await givenPull(person, repo, 'Change it', changes, 'Some *words*.')}`
  await watchPage(page)
  const below = ['', '/tree/main', '/commits/main', '/discussions'].map((path) => repo.page + path)
  for (const address of ['/', '/models', ...below, pull, `${pull}/files`]) {
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    const { shift } = await measuredOf(page)
    console.log(`layout shift of ${address.replace(repo.page, '{repo}')}: ${shift.toFixed(4)}`)
    expect(shift).toBeLessThanOrEqual(0.02)
  }
})

test('500 rows are shown and still answer', async ({ page, person }) => {
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`data/file-${i}.txt`, `${i}\n`]))
  const repo = await givenRepo(person, { files })
  await watchPage(page)
  await page.goto(`${repo.page}/tree/main/data`)
  const rows = page.getByRole('table', { name: 'Files' }).getByRole('row')
  for (const count of [201, 401, 501]) {
    await expect(rows).toHaveCount(count)
    if (count < 501) await page.getByRole('button', { name: 'Show more' }).click()
  }
  await beginWatch(page)
  await page.getByRole('button', { name: 'Revision main' }).click()
  await expect(page.getByRole('textbox', { name: 'Filter or name a new branch' })).toBeFocused()
  await page.keyboard.type('mai')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.getByRole('textbox', { name: 'Part of the path' }).fill('file-499')
  await expect(page.getByRole('link', { name: 'data/file-499.txt' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/blob/main/data/file-499.txt`)
  const { slowestMs } = await eventsOf(page)
  console.log(`slowest interaction with 500 rows: ${slowestMs.toFixed(0)} ms of 100 on an idle machine`)
})

test('a table of a million rows scrolls and answers', async ({ page, person, server }) => {
  test.setTimeout(240_000)
  const total = 1_000_000
  const lines = Array.from({ length: total }, (_, i) => `${i},${i % 10}\n`)
  const files = { 'data.csv': `id,digit\n${lines.join('')}` }
  const repo = await givenRepo(person, { type: 'dataset', files })
  await whenConverted(person, server, repo, total)
  await watchPage(page)
  await page.goto(`${repo.page}/viewer/default/train`)
  const grid = page.getByRole('grid', { name: 'Rows of default / train' })
  await expect(grid).toHaveAttribute('aria-rowcount', String(total + 1))
  await expect(grid.getByRole('gridcell', { name: '9', exact: true }).first()).toBeVisible()
  await beginWatch(page)
  const { gaps, most } = await scrolled(grid)
  const [half = 0, late = 0] = [gaps[gaps.length >> 1], gaps[Math.floor(gaps.length * 0.95)]]
  await page.getByRole('textbox', { name: 'Row to go to' }).fill(String(total - 1))
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('gridcell', { name: '999999', exact: true })).toBeVisible()
  await grid.getByRole('gridcell', { name: '999999', exact: true }).click()
  for (const key of ['ArrowUp', 'ArrowUp', 'PageUp', 'Home']) await page.keyboard.press(key)
  const { slowestMs } = await eventsOf(page)
  console.log(
    `a million rows: frames of ${half.toFixed(0)} ms, 95 % within ${late.toFixed(0)} ms, of 17 on an idle machine; slowest interaction ${slowestMs.toFixed(0)} ms of 100`,
  )
  // What is made grows with the window, not with the table.
  expect(most).toBeLessThanOrEqual(120)
})
