import { expect, givenRepo, scriptOf, test } from './fixtures.ts'

const lines = 20_000
const text = Array.from({ length: lines }, (_, i) => `value_${i + 1} = ${i}\n`).join('')

test('of a text of 20 000 lines those near the window are drawn, and a worker colours them', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'many.py': text } })
  const fetched = page.waitForResponse(/\/resolve\/.*many\.py/)
  await page.goto(`${repo.page}/blob/main/many.py`)
  expect(await (await fetched).headerValue('Content-Encoding')).toBe('gzip')
  await expect(page.locator('code span[style*="color"]').first()).toBeVisible()
  expect(page.workers().length).toBeGreaterThan(0)
  const drawn = () => page.getByText(/^value_\d+ = \d+$/).count()
  expect(await drawn()).toBeLessThan(2000)
  // Pressed while the page is still being drawn, the key leads to the end of what there is.
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(page.getByText(`value_${lines} =`)).toBeInViewport({ timeout: 2000 })
  }).toPass()
  await expect(page.locator('code span[style*="color"]').last()).toBeInViewport()
  expect(await drawn()).toBeLessThan(2000)
})

test('a text of 20 000 lines is edited: the editor draws those in sight, and a press changes one line alone', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'many.py': text } })
  await page.goto(`${repo.page}/edit/main/many.py`)
  const editor = page.getByLabel('Text')
  await expect(editor).toBeVisible()
  expect(await editor.locator('.cm-line').count()).toBeLessThan(500)
  await editor.click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('last = True')
  await expect(editor.getByText('last = True')).toBeInViewport()
  expect(await editor.locator('.cm-line').count()).toBeLessThan(500)
  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/many.py`)
  const stored = await (await fetch(`${server.url}${repo.page}/resolve/main/many.py`)).text()
  expect(stored).toBe(`${text}last = True`)
})

test('a card fetches what draws formulas only where it has one', async ({ page, person }) => {
  const plain = await givenRepo(person, { files: { 'README.md': '# Plain\n\nWords alone.\n' } })
  const rich = await givenRepo(person, {
    files: { 'README.md': '# Rich\n\n$$x^2$$\n\n```python\nx = 1\n```\n' },
  })
  let isAsked = false
  await page.route(scriptOf('ui/markdown/formula.tsx'), (route) => {
    isAsked = true
    return route.continue()
  })
  await page.goto(plain.page)
  await expect(page.getByText('Words alone.')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(isAsked).toBe(false)
  await page.goto(rich.page)
  await expect(page.locator('.katex').first()).toBeVisible()
  expect(isAsked).toBe(true)
  await expect(page.locator('pre span[style*="color"]').first()).toBeVisible()
})
