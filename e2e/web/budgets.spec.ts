import type { Locator } from '@playwright/test'
import { givenPull } from './community.ts'
import { whenConverted } from './datasets.ts'
import { expect, givenRepo, signIn, test, type Page } from './fixtures.ts'

const KB = 1000

/** JavaScript that crosses the wire until the page rests, compressed as the server sends it. */
async function scriptBytes(page: Page, address: string): Promise<number> {
  let total = 0
  page.on('response', (answer) => {
    const headers = answer.headers()
    if (headers['content-type']?.includes('javascript'))
      total += Number(headers['content-length'] ?? Number.NaN)
  })
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  return total
}

test('the first view of the lists and of a repo stays within its budget of JavaScript', async ({
  page,
  person,
  browser,
  server,
}) => {
  const text = '# Card\n\n<div align="center">HTML</div>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[link](x.md)\n'
  const repo = await givenRepo(person, { files: { 'README.md': text } })
  const lists = await scriptBytes(page, '/models')
  const num = await givenPull(person, repo, 'A change', { 'a.txt': 'a\n' }, 'Some *words*.')
  const firstView = async (address: string) => {
    const anew = await browser.newContext({ baseURL: server.url })
    await signIn(anew, server.url, person)
    const bytes = await scriptBytes(await anew.newPage(), address)
    await anew.close()
    return bytes
  }
  const card = await firstView(repo.page)
  const thread = await firstView(`${repo.page}/discussions/${num}`)
  const [ofLists, ofCard, ofThread] = [lists, card, thread].map((bytes) => (bytes / KB).toFixed(1))
  console.log(
    `JavaScript of the first view: /models ${ofLists} KB of 170, a repo ${ofCard} KB of 200 and a pull request ${ofThread} KB of 220`,
  )
  expect(lists).toBeLessThanOrEqual(170 * KB)
  expect(card).toBeLessThanOrEqual(200 * KB)
  expect(thread).toBeLessThanOrEqual(220 * KB)
})

test('nothing jumps while a list, a card and a pull request load', async ({ page, person }) => {
  const repo = await givenRepo(person, {
    files: { 'README.md': '# Card\n\n'.concat('A paragraph.\n\n'.repeat(40)) },
  })
  const changes = { 'a.txt': 'a\n', 'b.txt': 'b\n'.repeat(30), 'README.md': '# Another card\n' }
  const pull = `${repo.page}/discussions/${await givenPull(person, repo, 'Change it', changes, 'Some *words*.')}`
  await page.addInitScript(() => {
    const sums = window as unknown as { shift: number }
    sums.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        }
        if (!hadRecentInput) sums.shift += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const below = ['', '/tree/main', '/commits/main', '/discussions'].map((path) => repo.page + path)
  for (const address of ['/', '/models', ...below, pull, `${pull}/files`]) {
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift)
    console.log(`layout shift of ${address.replace(repo.page, '{repo}')}: ${shift.toFixed(4)}`)
    expect(shift).toBeLessThanOrEqual(0.02)
  }
})

interface Interactions {
  from: number
  slowestMs: number
}

/** Has the pages note how long their slowest interaction takes. */
const watchInteractions = (page: Page) =>
  page.addInitScript(() => {
    const seen = window as unknown as Interactions
    Object.assign(seen, { from: 0, slowestMs: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.startTime > seen.from) seen.slowestMs = Math.max(seen.slowestMs, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
const beginWatch = (page: Page) =>
  page.evaluate(() => Object.assign(window, { from: performance.now(), slowestMs: 0 }))
const slowestOf = (page: Page) => page.evaluate(() => (window as unknown as Interactions).slowestMs)

test('500 rows are shown and still answer', async ({ page, person }) => {
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`data/file-${i}.txt`, `${i}\n`]))
  const repo = await givenRepo(person, { files })
  await watchInteractions(page)
  await page.goto(`${repo.page}/tree/main/data`)
  const rows = page.getByRole('table', { name: 'Files' }).getByRole('row')
  for (const count of [201, 401, 501]) {
    await expect(rows).toHaveCount(count)
    if (count < 501) await page.getByRole('button', { name: 'Show more' }).click()
  }
  await beginWatch(page)
  await page.getByRole('button', { name: 'Revision main' }).click()
  await expect(page.getByPlaceholder('Filter, or name a new branch')).toBeFocused()
  await page.keyboard.type('mai')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.getByRole('textbox', { name: 'Part of the path' }).fill('file-499')
  await expect(page.getByRole('link', { name: 'data/file-499.txt' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/blob/main/data/file-499.txt`)
  const slowestMs = await slowestOf(page)
  console.log(`slowest interaction with 500 rows: ${slowestMs.toFixed(0)} ms of 100 on an idle machine`)
})

/** Scrolls a grid for two seconds, a little further in each frame; answers how long the frames took, and the most rows that were made. */
const scrolled = (grid: Locator) =>
  grid.evaluate(async (element) => {
    const gaps: number[] = []
    let [last, most] = [performance.now(), 0]
    const end = last + 2000
    while (last < end) {
      element.scrollBy(0, 90)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      gaps.push(now - last)
      last = now
      most = Math.max(most, element.querySelectorAll('[role="row"]').length)
    }
    return { gaps: gaps.toSorted((a, b) => a - b), most }
  })

test('a table of a million rows scrolls and answers', async ({ page, person, server }) => {
  test.setTimeout(240_000)
  const total = 1_000_000
  const lines = Array.from({ length: total }, (_, i) => `${i},${i % 10}\n`)
  const files = { 'data.csv': `id,digit\n${lines.join('')}` }
  const repo = await givenRepo(person, { type: 'dataset', files })
  await whenConverted(person, server, repo, total)
  await watchInteractions(page)
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
  const slowestMs = await slowestOf(page)
  console.log(
    `a million rows: frames of ${half.toFixed(0)} ms, 95 % within ${late.toFixed(0)} ms, of 17 on an idle machine; slowest interaction ${slowestMs.toFixed(0)} ms of 100`,
  )
  // What is made grows with the window, not with the table.
  expect(most).toBeLessThanOrEqual(120)
})
