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
