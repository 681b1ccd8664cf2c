import { givenPull } from './community.ts'
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

test('500 rows are shown and still answer', async ({ page, person }) => {
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`data/file-${i}.txt`, `${i}\n`]))
  const repo = await givenRepo(person, { files })
  await page.addInitScript(() => {
    const seen = window as unknown as Interactions
    Object.assign(seen, { from: 0, slowestMs: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.startTime > seen.from) seen.slowestMs = Math.max(seen.slowestMs, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  await page.goto(`${repo.page}/tree/main/data`)
  const rows = page.getByRole('table', { name: 'Files' }).getByRole('row')
  for (const count of [201, 401, 501]) {
    await expect(rows).toHaveCount(count)
    if (count < 501) await page.getByRole('button', { name: 'Show more' }).click()
  }
  await page.evaluate(() => Object.assign(window, { from: performance.now(), slowestMs: 0 }))
  await page.getByRole('button', { name: 'Revision main' }).click()
  await expect(page.getByPlaceholder('Filter, or name a new branch')).toBeFocused()
  await page.keyboard.type('mai')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.getByRole('textbox', { name: 'Part of the path' }).fill('file-499')
  await expect(page.getByRole('link', { name: 'data/file-499.txt' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/blob/main/data/file-499.txt`)
  const slowestMs = await page.evaluate(() => (window as unknown as Interactions).slowestMs)
  console.log(`slowest interaction with 500 rows: ${slowestMs.toFixed(0)} ms of 100 on an idle machine`)
})
