import type { Locator } from '@playwright/test'
import { commitTexts, givenPull } from './community.ts'
import { expect, givenRepo, test, type Page } from './fixtures.ts'
import { lookAt } from './look.ts'

const before = `import torch

# The rate of the first steps
rate = 0.1


def load(path: str) -> dict:
    """Reads the weights."""
    return torch.load(path)
`
const after = before
  .replace('# The rate of the first steps', '# The rate of all steps')
  .replace('load(path: str)', 'load(path: str, device: str = "cpu")')
  .replace('torch.load(path)', 'torch.load(path, map_location=device)')

/** What one colour is given to, in the first file of these names that has come. */
const coloured = (page: Page, path: string, text: string) =>
  page.getByRole('region', { name: path }).locator('td span[style*="color"]', { hasText: text })

test('diffs are coloured by language under the marks of words, and long ones stay plain', async ({
  page,
  person,
}) => {
  const long = `value = "${'x'.repeat(70)}"\n`.repeat(4000)
  const repo = await givenRepo(person, { files: { 'load.py': before } })
  const num = await givenPull(person, repo, 'Load onto a device', { 'load.py': after, 'long.py': long })
  await person.native('POST', `${repo.api}/branches`, { name: 'before' })
  const { commit } = (await commitTexts(person, repo, 'main', { 'load.py': after })) as { commit: string }
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const file = page.getByRole('region', { name: 'load.py' })
  for (const layout of ['Unified', 'Side by side']) {
    await page.getByText(layout, { exact: true }).click()
    await expect(coloured(page, 'load.py', 'def').first()).toBeVisible()
    // A marked word keeps its colour, and a colour ends where the mark does.
    await expect(file.locator('mark', { hasText: 'device: str = "cpu"' })).toBeVisible()
    await expect(file.locator('mark span[style*="color"]', { hasText: '"cpu"' })).toBeVisible()
    await expect(file.locator('mark').first()).toHaveText('the first')
  }
  await page.getByText('Unified', { exact: true }).click()
  const other = page.getByRole('region', { name: 'long.py' })
  await expect(other.getByRole('row')).toHaveCount(4001)
  await expect(coloured(page, 'long.py', 'value')).toHaveCount(0)

  await lookAt(
    page,
    { commit: `${repo.page}/commit/${commit}`, compare: `${repo.page}/compare?base=before&head=main` },
    () => expect(coloured(page, 'load.py', 'def').first()).toBeVisible(),
  )
})

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`)

test('more lines are shown around the changes, by the keyboard, and none of a file that has no others', async ({
  page,
  person,
}) => {
  const lines = numbered(130)
  const repo = await givenRepo(person, {
    files: { 'a.txt': lines.join(''), 'b.txt': numbered(90).join(''), 'gone.txt': 'x\n' },
  })
  const changed = lines.with(49, 'LINE 50\nand one more\n').with(99, 'LINE 100\n').join('')
  const num = await givenPull(person, repo, 'Change two lines', { 'a.txt': changed, 'new.txt': 'new\n' })
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const file = page.getByRole('region', { name: 'a.txt' })
  const show = (name: string) => file.getByRole('button', { name, exact: true })
  const row = (before: number, after: number) =>
    file.getByRole('row', { name: `${before} ${after} line ${before}`, exact: true })

  await expect(file.getByText('@@ −47,7 +47,8 @@')).toBeVisible()
  await show('Show 20 above line 47').focus()
  await page.keyboard.press('Enter')
  await expect(row(27, 27)).toBeVisible()
  await expect(row(46, 46)).toBeVisible()
  await expect(row(26, 26)).toHaveCount(0)
  await expect(file.getByText('@@ −27,27 +27,28 @@')).toBeVisible()
  await expect(show('Show 20 above line 27')).toBeFocused()
  await page.keyboard.press('Enter')
  // Six are left: the button that was pressed now brings all of them.
  await expect(show('Show 6 lines above line 7')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(1, 1)).toBeVisible()
  await expect(file.getByRole('button', { name: /above line/ })).toHaveCount(1)
  await expect(file.getByRole('group', { name: 'Changed lines' })).toBeFocused()

  // Between the changes a line has come, so the numbers of both files differ. Keys, not the mouse: files that scroll
  // into sight get their height only then, which moves a button from under a click.
  await show('Show 20 below line 54').press('Enter')
  await expect(row(54, 55)).toBeVisible()
  await expect(row(73, 74)).toBeVisible()
  await page.getByText('Side by side', { exact: true }).click()
  await expect(file.getByRole('row', { name: '73 line 73 74 line 73', exact: true })).toBeVisible()
  await show('Show all 23 below line 74').press('Enter')
  await expect(file.getByRole('row', { name: '96 line 96 97 line 96', exact: true })).toBeVisible()
  await page.getByText('Unified', { exact: true }).click()
  await expect(row(73, 74)).toBeVisible()
  await expect(show('Show 20 below line 104')).toBeVisible()
  await show('Show all 27 below line 104').press('Enter')
  await expect(row(130, 131)).toBeVisible()
  await expect(file.getByRole('button', { name: /^Show/ })).toHaveCount(0)
  // The API takes comments on the lines of the diff alone.
  await expect(file.getByRole('button', { name: /^Comment on line/ })).toHaveCount(17)
  await expect(
    page.getByRole('region', { name: 'new.txt' }).getByRole('button', { name: /^Show/ }),
  ).toHaveCount(0)

  const { commit } = await person.native<{ commit: string }>('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Change and delete',
    operations: [
      { op: 'add', path: 'b.txt', text: numbered(90).with(40, 'LINE\n').join('') },
      { op: 'delete', path: 'gone.txt' },
    ],
  })
  const ways = page.getByRole('button', { name: /^Show \d|^Show all/ })
  await lookAt(page, { 'more-lines': `${repo.page}/commit/${commit}` }, async () => {
    await expect(ways).toHaveCount(4)
    await page.getByRole('button', { name: 'Show 20 above line 38' }).click()
    await expect(page.getByRole('row', { name: '18 18 line 18', exact: true })).toBeVisible()
  })
})

test('white space is ignored when asked, as the address says, and comments stay on their lines', async ({
  page,
  person,
}) => {
  const text = 'def f():\n  a = 1\n  b = 2\n  return a\n'
  const indented = text.replaceAll('  ', '    ')
  const repo = await givenRepo(person, { files: { 'a.py': text, 'b.py': text } })
  await person.native('POST', `${repo.api}/branches`, { name: 'before' })
  const changes = { 'a.py': indented, 'b.py': `# f\n${indented.replace('2', '3')}` }
  const num = await givenPull(person, repo, 'Indent by four', changes)
  const thread = `${repo.api}/discussions/${num}`
  const { pull_request: pull } = await person.native<{ pull_request: { head_commit: string } }>('GET', thread)
  const place = { path: 'a.py', side: 'new', line: 2, commit: pull.head_commit }
  await person.native('POST', `${thread}/comments`, { body: 'Why four?', place })

  await page.goto(`${repo.page}/discussions/${num}/files`)
  const [first, second] = ['a.py', 'b.py'].map((name) => page.getByRole('region', { name })) as [
    Locator,
    Locator,
  ]
  await expect(page.getByText('2 files changed, +7 −6')).toBeVisible()
  await expect(first.getByRole('article')).toContainText('Why four?')
  await page.getByRole('checkbox', { name: 'Ignore white space' }).press('Space')
  await expect(page).toHaveURL(`${repo.page}/discussions/${num}/files?w=1`)
  await expect(first.getByText('No line changed, white space aside.')).toBeVisible()
  await expect(first.getByText('1 comment is on lines that are left out')).toBeVisible()
  await expect(page.getByText('2 files changed, +2 −1')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Ignore white space' })).toBeFocused()
  await expect(second.locator('tr[data-kind="add"]')).toHaveText([/# f/, /b = 3/])
  await second.getByRole('button', { name: 'Comment on line 4 of the new file' }).click()
  await page.getByRole('textbox', { name: 'Comment on line 4' }).fill('Three now?')
  await page.keyboard.press('Control+Enter')
  await expect(second.getByRole('article')).toContainText('Three now?')
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Ignore white space' })).toBeChecked()
  await expect(second.locator('tr[data-kind="add"]')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Ignore white space' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/${num}/files`)
  await expect(second.locator('tr[data-kind="add"]')).toHaveCount(4)
  await expect(second.getByRole('article')).toContainText('Three now?')

  const { commit } = (await commitTexts(person, repo, 'main', changes)) as { commit: string }
  await page.goto(`${repo.page}/compare?base=before&head=main&w=1`)
  await page.getByRole('link', { name: 'Swap the revisions' }).click()
  await expect(page).toHaveURL(`${repo.page}/compare?base=main&head=before&w=1`)
  const addresses = {
    'white-space-commit': `${repo.page}/commit/${commit}?w=1`,
    'white-space-compare': `${repo.page}/compare?base=before&head=main&w=1`,
    'white-space-pull': `${repo.page}/discussions/${num}/files?w=1`,
  }
  await lookAt(page, addresses, async () => {
    await expect(first.getByText('No line changed, white space aside.')).toBeVisible()
    await expect(second.locator('tr[data-kind="add"]')).toHaveCount(2)
  })
})

test('files of a pull request are marked as viewed in this browser, until they change again', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n', 'docs/b.txt': 'b\n' } })
  const num = await givenPull(person, repo, 'Change them', {
    'a.txt': 'A\n',
    'docs/b.txt': 'B\n',
    'c.txt': 'c\n',
  })
  const files = `${repo.page}/discussions/${num}/files`
  await page.goto(files)
  const box = (path: string) => page.getByRole('checkbox', { name: `Viewed ${path}` })
  const table = (path: string) => page.getByRole('region', { name: path }).getByRole('table')
  await expect(page.getByText('0 of 3 viewed')).toBeVisible()
  await box('a.txt').press('Space')
  await expect(box('a.txt')).toBeChecked()
  await expect(box('a.txt')).toBeFocused()
  await expect(table('a.txt')).toHaveCount(0)
  await box('docs/b.txt').click()
  await box('c.txt').click()
  await box('c.txt').click()
  await expect(table('c.txt')).toHaveCount(1)
  await expect(page.getByText('2 of 3 viewed')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Files viewed' })).toHaveAttribute(
    'aria-valuenow',
    /^66/,
  )
  const tree = page.getByRole('navigation', { name: 'Changed files' })
  await expect(tree.getByRole('img', { name: 'viewed' })).toHaveCount(2)

  await lookAt(page, { viewed: files }, () => expect(page.getByText('2 of 3 viewed')).toBeVisible())
  await expect(table('a.txt')).toHaveCount(0)
  await expect(table('c.txt')).toHaveCount(1)
  await commitTexts(person, repo, `refs/pr/${num}`, { 'a.txt': 'AA\n' })
  await page.goto(files)
  await expect(page.getByText('1 of 3 viewed')).toBeVisible()
  await expect(box('a.txt')).not.toBeChecked()
  await expect(table('a.txt')).toHaveCount(1)
  await expect(box('docs/b.txt')).toBeChecked()
})

test('a diff far from what is in sight takes the layout on as it comes near', async ({ page, person }) => {
  const names = Array.from({ length: 8 }, (_, i) => `file-${i}.txt`)
  const textsOf = (word: string) =>
    Object.fromEntries(names.map((name) => [name, `${word}\n${numbered(40).join('')}${word}\n`]))
  const repo = await givenRepo(person, { files: textsOf('before') })
  const { commit } = (await commitTexts(person, repo, 'main', textsOf('after'))) as { commit: string }
  await page.goto(`${repo.page}/commit/${commit}`)
  const changed = (name: string) => page.getByRole('region', { name }).getByRole('row', { name: 'before' })
  const cells = (name: string) => changed(name).first().getByRole('cell')
  await expect(cells('file-0.txt')).toHaveCount(3)
  await page.getByRole('region', { name: 'file-7.txt' }).scrollIntoViewIfNeeded()
  await expect(cells('file-7.txt')).toHaveCount(3)
  await page.getByText('Side by side', { exact: true }).click()
  await expect(cells('file-0.txt')).toHaveCount(4)
  await page.getByRole('region', { name: 'file-7.txt' }).scrollIntoViewIfNeeded()
  await expect(cells('file-7.txt')).toHaveCount(4)
})
