import { commitTexts } from './community.ts'
import { expect, givenRepo, test, type GivenRepo, type Person } from './fixtures.ts'
import { lookAt } from './look.ts'

const before = 'def f(x):\n    return x\n\n\ndef g(x):\n    return f(x)\n'
const after = before.replace('return x', 'return x + 1')

/** A file that was renamed, and changed before and after. */
async function givenHistory(person: Person): Promise<GivenRepo> {
  const repo = await givenRepo(person, { files: { 'src/old.py': before } })
  await commitTexts(person, repo, 'main', { 'src/old.py': after })
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Rename the module',
    operations: [
      { op: 'delete', path: 'src/old.py' },
      { op: 'add', path: 'src/new.py', text: `${after}print(g(1))\n` },
    ],
  })
  return repo
}

test('the lines of a file lead to their commits, and to the file as it was before', async ({
  page,
  person,
}) => {
  const repo = await givenHistory(person)
  await page.goto(`${repo.page}/blob/main/src/new.py#L2`)
  await page
    .getByRole('navigation', { name: 'Views of the file' })
    .getByRole('link', { name: 'Blame' })
    .click()
  await expect(page).toHaveURL(`${repo.page}/blame/main/src/new.py#L2`)
  const text = page.getByRole('region', { name: 'Blame of new.py' })
  await expect(text.locator('[data-selected]')).toContainText('return x + 1')
  await expect(text.getByText('Line 2: ')).toBeAttached()
  await expect(text.getByText('Lines 3 to 6: ')).toBeAttached()
  await expect(text.getByRole('link', { name: 'Rename the module' })).toHaveCount(1)
  // Coloured as the code is.
  await expect(text.locator('code span').first()).toBeVisible()

  await text
    .getByRole('link', { name: /^Blame before/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/blame\/[0-9a-f]{40}\/src\/old\.py$/)
  await expect(page.getByRole('region', { name: 'Blame of old.py' })).toContainText('return x')
  await expect(page.getByRole('link', { name: /^Blame before/ })).toHaveCount(0)
  await page.goBack()
  await text.getByRole('link', { name: 'Rename the module' }).click()
  await expect(page).toHaveURL(/\/commit\/[0-9a-f]{40}$/)
  await expect(page.getByText('src/new.py').first()).toBeVisible()

  await page.goBack()
  await expect(text.getByRole('link', { name: 'Rename the module' })).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('y')
  await expect(page).toHaveURL(/\/blame\/[0-9a-f]{40}\/src\/new\.py#L2$/)
})

test('what is selected and copied is the code alone', async ({ page, context, person }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const repo = await givenHistory(person)
  await page.goto(`${repo.page}/blame/main/src/new.py`)
  const text = page.getByRole('region', { name: 'Blame of new.py' })
  await expect(text.getByRole('link', { name: 'Rename the module' })).toBeVisible()
  await text.evaluate((element) => getSelection()?.selectAllChildren(element))
  await page.keyboard.press('Control+c')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.replaceAll(/\n+/g, '\n').trim()).toBe(`${after}print(g(1))`.replaceAll(/\n+/g, '\n'))
})

test('20 000 lines are scrolled with their commits beside them', async ({ page, person }) => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `value_${i + 1} = ${i}\n`)
  const repo = await givenRepo(person, { files: { 'many.py': lines.join('') } })
  const changed = lines.map((line, i) => (i % 100 === 50 ? `${line.trim()}  # changed\n` : line))
  await commitTexts(person, repo, 'main', { 'many.py': `${changed.join('')}last = 1\n` })
  await page.goto(`${repo.page}/blame/main/many.py#L15051`)
  await expect(page.getByText('value_15051 =')).toBeInViewport()
  const text = page.getByRole('region', { name: 'Blame of many.py' })
  await expect(text.getByText('Line 15051: ')).toBeAttached()
  await expect(text.getByText('Lines 15052 to 15150: ')).toBeAttached()
  await expect(page.getByText('The lines after the first 20 000 are not traced here.')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(page.getByText('last = 1')).toBeInViewport()
  await expect(text.getByText('Lines 19952 to 20000: ')).toBeAttached()
  // Of what is far away nothing but the text is in the page.
  await expect(text.getByText('Line 15051: ')).toHaveCount(0)
  expect(await text.locator('*').count()).toBeLessThan(8000)
})

test('files without lines say why, and absent ones that they are absent', async ({ page, person }) => {
  const repo = await givenRepo(person, {
    files: { 'empty.txt': '', 'large.txt': 'a line\n'.repeat(170_000) },
  })
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Add bytes',
    operations: [{ op: 'add', path: 'weights.bin', content: Buffer.alloc(600, 0).toString('base64') }],
  })
  await page.goto(`${repo.page}/blame/main/weights.bin`)
  await expect(page.getByText('It is a binary file, which has no lines.')).toBeVisible()
  await page.getByRole('link', { name: 'Show the file' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/weights.bin`)
  await expect(page.getByText('Binary file')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Blame' })).toHaveCount(0)
  await page.goto(`${repo.page}/blame/main/large.txt`)
  await expect(page.getByText('It is larger than 1 MiB.')).toBeVisible()
  await expect(page.getByText('git blame main -- large.txt')).toBeVisible()
  await page.goto(`${repo.page}/blame/main/empty.txt`)
  await expect(page.getByText('The file is empty.')).toBeVisible()
  await page.goto(`${repo.page}/blame/main/gone.txt`)
  await expect(page.getByText('There is no "gone.txt" at this revision.')).toBeVisible()
  await page.goto(`${repo.page}/blame/main`)
  await expect(page).toHaveURL(`${repo.page}/tree/main`)
})

test('blame in both themes, wide and narrow', async ({ page, person }) => {
  test.setTimeout(120_000)
  const repo = await givenHistory(person)
  const text = page.getByRole('region', { name: 'Blame of new.py' })
  await lookAt(page, { blame: `${repo.page}/blame/main/src/new.py` }, async () => {
    await expect(text.getByRole('link', { name: 'Rename the module' })).toBeVisible()
    // At its end the code can be scrolled to.
    await expect(text).toHaveAttribute('tabindex', '0')
  })
})
