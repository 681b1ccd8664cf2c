import { expect, givenRepo, test, type Page } from './fixtures.ts'
import { expectNoFault, narrow, shootAll, wide } from './look.ts'

/** What of the page is under a message: of all that can be pressed, or of what has the focus. */
const covered = (page: Page, of: 'all' | 'focused') =>
  page.evaluate((which) => {
    const looked =
      which === 'focused'
        ? [document.activeElement]
        : [...document.querySelectorAll('main :is(a, button, input, select)')]
    return looked.flatMap((element) => {
      const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
      const above = document.elementFromPoint(x + width / 2, y + height / 2)
      return above?.closest('[role="alert"]') ? [element?.outerHTML] : []
    })
  }, of)

const toEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))

test('messages cover neither what was pressed nor the end of a page, and go when they are closed', async ({
  page,
  newcomer,
}) => {
  const count = 14
  for (let i = 0; i < count; i++) await givenRepo(newcomer)
  await page.route('**/like', (route) => route.fulfill({ status: 409, body: '{}' }))
  const messages = page.getByRole('alert')
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size)
    await page.goto(`/models?ns=${newcomer.username}`)
    const likes = page.getByRole('main').getByRole('button', { name: /^Like / })
    await expect(likes).toHaveCount(count)
    await toEnd(page)
    for (let shown = 1; shown <= 3; shown++) {
      await likes.last().focus()
      await page.keyboard.press('Enter')
      await expect(messages).toHaveCount(shown)
    }
    await expect(likes.last()).toBeFocused()
    await expect.poll(() => covered(page, 'focused')).toEqual([])
    await toEnd(page)
    await expect.poll(() => covered(page, 'all')).toEqual([])
    await expectNoFault(page)
    await page.evaluate(() => window.scrollTo(0, 0))
    await toEnd(page)
    await messages.first().getByRole('button', { name: 'Close' }).click()
    await expect(messages).toHaveCount(2)
  }
  await shootAll(page, 'messages')
})
