import { expect, givenRepo, test } from './fixtures.ts'
import { lookAt } from './look.ts'

const files = {
  'README.md': '# Model\n',
  'config.json': '{}\n',
  'src/deep/model.py': 'x = 1\n',
  'src/deep/other.py': 'y = 1\n',
  'src/zoo.py': 'z = 1\n',
  'tests/a.py': 'a = 1\n',
}

test('the files of a revision stand beside one, open down to it, and are remembered', async ({
  page,
  person,
}) => {
  await page.setViewportSize({ width: 1360, height: 850 })
  const repo = await givenRepo(person, { files })
  await page.goto(`${repo.page}/blob/main/src/deep/model.py`)
  await expect(page.getByRole('region', { name: 'model.py' })).toBeVisible()
  const tree = page.getByRole('tree', { name: 'Files' })
  await expect(tree).toHaveCount(0)
  await page.getByRole('button', { name: 'Files of this revision' }).click()
  const row = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await expect(row('model.py')).toHaveAttribute('aria-current', 'page')
  await expect(tree.getByRole('treeitem')).toHaveText([
    'src',
    'deep',
    'model.py',
    'other.py',
    'zoo.py',
    'tests',
    '.gitattributes',
    'README.md',
    'config.json',
  ])
  await row('other.py').click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/src/deep/other.py`)
  await expect(row('other.py')).toHaveAttribute('aria-current', 'page')
  await expect(row('model.py')).not.toHaveAttribute('aria-current')
  await row('tests').click()
  await row('a.py').click()
  await expect(page.getByRole('region', { name: 'a.py' })).toContainText('a = 1')
  await row('src').click()
  await expect(row('zoo.py')).toHaveCount(0)
  // The rows are links, which open elsewhere too.
  await expect(row('src')).toHaveAttribute('href', `${repo.page}/tree/main/src`)

  await page.goto(`${repo.page}/blame/main/src/zoo.py`)
  await expect(row('zoo.py')).toHaveAttribute('aria-current', 'page')
  await page.setViewportSize({ width: 1000, height: 850 })
  await expect(tree).toHaveCount(0)
  await page.setViewportSize({ width: 1360, height: 850 })
  await page.getByRole('button', { name: 'Files of this revision' }).click()
  await expect(tree).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Blame of zoo.py' })).toBeVisible()
  await expect(tree).toHaveCount(0)
})

test('the tree is gone through by keys', async ({ page, person }) => {
  await page.setViewportSize({ width: 1360, height: 850 })
  const repo = await givenRepo(person, { files })
  await page.goto(`${repo.page}/blob/main/config.json`)
  const button = page.getByRole('button', { name: 'Files of this revision' })
  await button.click()
  const tree = page.getByRole('tree', { name: 'Files' })
  const row = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await row('config.json').focus()
  const press = async (key: string, name: string) => {
    await page.keyboard.press(key)
    await expect(row(name)).toBeFocused()
  }
  await press('Home', 'src')
  await press('ArrowRight', 'src')
  await expect(row('src')).toHaveAttribute('aria-expanded', 'true')
  await expect(row('zoo.py')).toBeVisible()
  await press('ArrowRight', 'deep')
  await press('ArrowDown', 'zoo.py')
  await press('ArrowLeft', 'src')
  await press('ArrowLeft', 'src')
  await expect(row('zoo.py')).toHaveCount(0)
  await press('End', 'config.json')
  await press('ArrowUp', 'README.md')
  // One stop for Tab, which is the row that had the focus last.
  await expect(tree.locator('[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/blob/main/README.md`)
})

test('of a large folder more is shown when asked', async ({ page, person }) => {
  await page.setViewportSize({ width: 1360, height: 850 })
  const many = Object.fromEntries(
    Array.from({ length: 230 }, (_, i) => [`data/${String(i).padStart(3, '0')}.txt`, `${i}\n`]),
  )
  const repo = await givenRepo(person, { files: { ...many, 'top.txt': 'top\n' } })
  await page.goto(`${repo.page}/blob/main/top.txt`)
  await page.getByRole('button', { name: 'Files of this revision' }).click()
  const tree = page.getByRole('tree', { name: 'Files' })
  await tree.getByRole('treeitem', { name: 'data' }).click()
  await expect(tree.getByRole('treeitem', { name: '199.txt' })).toBeAttached()
  await expect(tree.getByRole('treeitem')).toHaveCount(205)
  await tree.getByRole('treeitem', { name: 'Show more' }).click()
  await expect(tree.getByRole('treeitem', { name: '229.txt' })).toBeAttached()
  await expect(tree.getByRole('treeitem')).toHaveCount(234)
})

test('files beside a file in both themes', async ({ page, person }) => {
  test.setTimeout(120_000)
  const repo = await givenRepo(person, { files })
  await page.addInitScript(() => localStorage.setItem('files-beside', 'shown'))
  const addresses = {
    blob: `${repo.page}/blob/main/src/deep/model.py`,
    blame: `${repo.page}/blame/main/src/deep/model.py`,
  }
  await lookAt(page, addresses, async () => {
    const isWide = (page.viewportSize()?.width ?? 0) >= 1200
    await expect(page.getByRole('treeitem', { name: 'model.py' })).toHaveCount(isWide ? 1 : 0)
    await expect(page.getByText('x = 1')).toBeVisible()
  })
})
