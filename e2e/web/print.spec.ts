import type { Locator } from '@playwright/test'
import { commitTexts } from './community.ts'
import { expect, givenRepo, test, type Page } from './fixtures.ts'
import { checkWidth, narrow, shoot, turn } from './look.ts'

const line = `x = "${'a long line '.repeat(30)}"\n`
const files = { 'README.md': '# What it is\n\nA small model.\n', 'src/model.py': `${line}y = 1\n` }

/** As a browser prints the page: on white, with its text, and with nothing to press. */
async function expectPrinted(page: Page, name: string, shown: Locator[]) {
  await turn(page, 'dark')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  for (const part of shown) await expect(part).toBeVisible()
  for (const role of ['banner', 'button', 'checkbox', 'tablist', 'tree'] as const)
    await expect(page.getByRole(role).filter({ visible: true }), `${name}: ${role}`).toHaveCount(0)
  // Where the file is stays.
  const places = page.getByRole('navigation').filter({ visible: true })
  for (const place of await places.all()) await expect(place).toHaveAccessibleName('Path')
  await expect(page.locator('a[class*=Button], a[class*=ActionIcon]').filter({ visible: true })).toHaveCount(
    0,
  )
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await page.setViewportSize(narrow)
  await checkWidth(page, `${name} on paper`)
  // Paper does not scroll.
  const cut = await page
    .getByRole('main')
    .locator('*')
    .evaluateAll((all) =>
      all
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .filter((each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowX))
        .map((each) => each.outerHTML),
    )
  expect(cut).toEqual([])
  await shoot(page, `print-${name}`)
  await page.emulateMedia({ media: 'screen' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.setViewportSize({ width: 1360, height: 850 })
}

test('a card, a file and a diff are printed without what can be pressed', async ({ page, person }) => {
  await page.setViewportSize({ width: 1360, height: 850 })
  const repo = await givenRepo(person, { files })
  await page.goto(repo.page)
  const heading = page.getByRole('heading', { name: 'What it is' })
  await expect(heading).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await expectPrinted(page, 'card', [heading, page.getByText('A small model.')])

  await page.goto(`${repo.page}/blob/main/src/model.py`)
  await page.getByRole('button', { name: 'Files of this revision' }).click()
  await expect(page.getByRole('treeitem', { name: 'model.py' })).toBeVisible()
  const code = page.getByRole('region', { name: 'model.py' })
  await expectPrinted(page, 'file', [code.getByText('y = 1')])

  const changed = { 'src/model.py': `${line}y = 2\n`, 'README.md': '# What it was\n' }
  const { commit } = (await commitTexts(person, repo, 'main', changed)) as { commit: string }
  await page.goto(`${repo.page}/commit/${commit}`)
  const diff = page.getByRole('region', { name: 'src/model.py' })
  await expect(diff.getByText('y = 2')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Changed files' })).toBeVisible()
  await expectPrinted(page, 'diff', [diff.getByText('y = 1'), diff.getByText('y = 2')])
})
