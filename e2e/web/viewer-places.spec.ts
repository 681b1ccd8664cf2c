import type { Locator } from '@playwright/test'
import { whenConverted } from './datasets.ts'
import { expect, givenRepo, test, type Page } from './fixtures.ts'
import { png } from './png.ts'
import { commitBytes } from './tensors.ts'

const grid = (page: Page) => page.getByRole('grid', { name: 'Rows of default / train' })
const row = (page: Page, name: string) => grid(page).getByRole('rowheader', { name, exact: true })

test('a picture is shown as large as the window: arrows lead to the next row, Escape back to the row', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { type: 'dataset' })
  await commitBytes(person, repo, {
    'cat/0.png': png(40, 30, [200, 0, 0]),
    'cat/1.png': png(50, 30, [0, 200, 0]),
    'dog/2.png': png(60, 30, [0, 0, 200]),
  })
  await whenConverted(person, server, repo, 3)
  await page.goto(`${repo.page}/viewer`)
  await expect(row(page, '2')).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: /^Row/ })
  const picture = drawer.getByRole('button', { name: 'In full size' })
  const widthIn = (place: Locator) => () =>
    place.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(widthIn(picture)).toBe(40)
  await picture.focus()
  await page.keyboard.press('Enter')

  const lightbox = page.getByRole('dialog', { name: 'Open the file' })
  const shown = widthIn(lightbox)
  await expect.poll(shown).toBe(40)
  await page.keyboard.press('ArrowRight')
  await expect.poll(shown).toBe(50)
  await page.keyboard.press('ArrowRight')
  await expect.poll(shown).toBe(60)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(shown).toBe(50)

  await page.keyboard.press('Escape')
  await expect(lightbox).toHaveCount(0)
  await expect.poll(widthIn(picture)).toBe(50)
  await expect(picture).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
})

test('an address leads to a row in the middle of a large split, and "Go to row" to the last one at most', async ({
  page,
  person,
  server,
}) => {
  const rows = 250_000
  const lines = Array.from({ length: rows }, (_, i) => `${i},name ${i}\n`)
  const repo = await givenRepo(person, {
    type: 'dataset',
    files: { 'data.csv': `id,name\n${lines.join('')}` },
  })
  await whenConverted(person, server, repo, rows)
  const drawer = page.getByRole('dialog', { name: /^Row/ })
  const viewer = `${repo.page}/viewer/default/train`
  await page.goto(`${viewer}?p=1234&row=123456`)
  await expect(drawer).toContainText('Row 123,456')
  await expect(drawer.getByRole('region', { name: 'name' })).toContainText('name 123456')
  await expect(row(page, '123,456')).toBeVisible()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(rows + 1))
  await drawer.getByRole('button', { name: 'Previous row' }).click()
  await expect(drawer.getByRole('region', { name: 'name' })).toContainText('name 123455')
  await expect(page).toHaveURL(/[?&]row=123455(&|$)/)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)

  const goTo = page.getByRole('textbox', { name: 'Row to go to' })
  await goTo.fill('9999999')
  await page.keyboard.press('Enter')
  await expect(row(page, '249,999')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Rows' })).toContainText('to 249,999 of 250,000')
  await goTo.fill('0')
  await page.keyboard.press('Enter')
  await expect(row(page, '0')).toBeVisible()

  // Of a row that is no more the last ones are shown, and nothing is open.
  await page.goto(`${viewer}?row=250000`)
  await expect(row(page, '249,999')).toBeVisible()
  await expect(drawer).toHaveCount(0)
  await expect(page).not.toHaveURL(/row=/)
  await page.goto(`${viewer}?p=99999`)
  await expect(row(page, '249,999')).toBeVisible()
})
