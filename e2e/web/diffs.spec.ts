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
}, info) => {
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
    info,
    { commit: `${repo.page}/commit/${commit}`, compare: `${repo.page}/compare?base=before&head=main` },
    () => expect(coloured(page, 'load.py', 'def').first()).toBeVisible(),
  )
})
