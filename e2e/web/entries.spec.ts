import { startServer } from '../fixtures/server.mjs'
import { expect, givenRepo, scriptOf, test } from './fixtures.ts'
import { measuredOf, watchPage } from './measuring.mjs'
import { expectNoFault, shoot } from './look.ts'
import { commitBytes } from './tensors.ts'

interface Listing {
  entries: { path: string }[]
}

test('entries are renamed, moved and deleted, several by one commit', async ({ page, person }) => {
  const files = {
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'src/c.txt': 'c\n',
    'src/deep/d.txt': 'd\n',
    'keep.txt': 'k\n',
  }
  const repo = await givenRepo(person, { files })
  const paths = async () => {
    const tree = await person.native<Listing>('GET', `${repo.api}/tree/main?recursive=true`)
    return tree.entries.map(({ path }) => path).filter((path) => path.endsWith('.txt'))
  }
  const commits = async () =>
    (await person.native<{ items: unknown[] }>('GET', `${repo.api}/commits?rev=main`)).items.length
  const before = await commits()
  await page.goto(`${repo.page}/tree/main`)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('a.txt').getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New path').fill('docs/renamed.txt')
  await dialog.getByRole('button', { name: 'Rename a.txt' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'docs', exact: true })).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select b.txt' }).check()
  await page.getByRole('checkbox', { name: 'Select src' }).check()
  await page.getByRole('toolbar', { name: 'Selected entries' }).getByRole('button', { name: 'Move' }).click()
  await dialog.getByLabel('To folder').fill('data')
  await dialog.getByRole('button', { name: 'Move 2 entries' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'data', exact: true })).toBeVisible()
  expect((await paths()).toSorted()).toEqual([
    'data/b.txt',
    'data/src/c.txt',
    'data/src/deep/d.txt',
    'docs/renamed.txt',
    'keep.txt',
  ])

  await page.getByRole('checkbox', { name: 'Select data' }).check()
  await page.getByRole('checkbox', { name: 'Select docs' }).check()
  await page
    .getByRole('toolbar', { name: 'Selected entries' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await dialog.getByRole('button', { name: 'Delete 2 entries' }).click()
  await expect(page.getByRole('link', { name: 'data', exact: true })).toHaveCount(0)
  expect(await paths()).toEqual(['keep.txt'])
  expect(await commits()).toBe(before + 3)

  const download = page.waitForEvent('download')
  await row('keep.txt').getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('keep.txt')
})

test('a notebook and an SVG are shown, and nothing in them runs', async ({ page, person }) => {
  const script = '<script>document.title = "ran"</script>'
  const notebook = JSON.stringify({
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# Steps\n', script] },
      {
        cell_type: 'code',
        execution_count: 7,
        metadata: {},
        source: ['print(1)'],
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['printed\n'] },
          { output_type: 'display_data', metadata: {}, data: { 'text/html': [script] } },
        ],
      },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${script}<rect width="9" height="9"/></svg>`
  const repo = await givenRepo(person, { files: { 'run.ipynb': notebook, 'logo.svg': svg } })
  await page.goto(`${repo.page}/blob/main/run.ipynb`)
  await expect(page.getByRole('heading', { name: 'Steps' })).toBeVisible()
  await expect(page.getByText('printed')).toBeVisible()
  await expect(page.getByText('Output in text/html is not shown')).toBeVisible()
  expect(await page.title()).toContain('run.ipynb')
  await page.goto(`${repo.page}/blob/main/logo.svg`)
  const image = page.getByRole('img', { name: 'logo.svg' })
  await expect.poll(() => image.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
  expect(await page.title()).toContain('logo.svg')
})

test('a card is written with help for its metadata, looked at and compared before it is committed', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '---\nlicense: mit\n---\n# Before\n' } })
  await page.goto(`${repo.page}/edit/main/README.md`)
  await page.getByLabel('Text').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('libr')
  // By the pointer: the editor takes no Enter that comes as soon as the list does.
  await page.getByRole('option', { name: /library_name/ }).click()
  await page.keyboard.type('timm')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Added **words**.')
  await page.getByText('Preview', { exact: true }).click()
  await expect(page.getByText('Added words.')).toBeVisible()
  await page.getByText('Changes', { exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Changes' })).toContainText('library_name: timm')
  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/README.md`)
  await expect.poll(() => person.native('GET', repo.api)).toMatchObject({ library: 'timm', licence: 'mit' })
})

test('a text is edited by Vim keys once they are turned on, and others keep theirs', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\ntwo\nthree\n' } })
  const text = page.getByRole('textbox', { name: 'Text' })
  await page.goto(`${repo.page}/edit/main/notes.txt`)
  await expect(page.getByRole('switch', { name: 'Vim keys' })).not.toBeChecked()
  await text.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('dd ')
  await expect(text).toContainText('dd one')

  await page.getByRole('switch', { name: 'Vim keys' }).click()
  await expect(page.getByText('--NORMAL--')).toBeVisible()
  await text.click()
  await page.keyboard.type('ggdd')
  await expect(text).not.toContainText('one')
  await page.keyboard.type('ofour')
  await page.keyboard.press('Escape')
  await expect(text).toContainText('four')
  await shoot(page, 'vim-keys')
  await expectNoFault(page)
  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/notes.txt`)

  await page.goto(`${repo.page}/edit/main/notes.txt`)
  await expect(text).toHaveText('twofourthree')
  await expect(page.getByText('--NORMAL--')).toBeVisible()
  await page.getByRole('switch', { name: 'Vim keys' }).click()
  await expect(page.getByText('--NORMAL--')).toHaveCount(0)
})

test('an editor waits until it is known whether its branch can be changed', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\n' } })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/refs', async (route) => {
    await answered
    // Those of a page that was left have no one to answer.
    await route.continue().catch(() => undefined)
  })
  for (const address of ['upload/main', 'new/main', 'edit/main/notes.txt']) {
    await page.goto(`${repo.page}/${address}`)
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await expect(page.getByText(/cannot be changed here|Nothing can be uploaded/)).toHaveCount(0)
  }
  answer()
  await expect(page.getByRole('button', { name: 'Commit to main' })).toBeVisible()
})

test('visitors of a closed server see one sign-in card, and where the first password is', async ({
  browser,
}) => {
  const server = await startServer({ 'security.anonymous_read': 'false' })
  try {
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    for (const address of ['/', '/models', '/some/repo', '/no/such/page/at/all']) {
      await page.goto(address)
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveCount(1)
      await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0)
    }
    await page.getByText('Where is the first password?').click()
    await expect(page.getByText('bootstrap-admin-password')).toBeVisible()
    await page.goto('/register')
    await expect(page.getByText('On this page people make an account of their own')).toBeVisible()
  } finally {
    await server.stop()
  }
})

test('an image that comes late moves nothing on its page', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const image = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
  // Of 300 by 500 pixels, of which one is set.
  image.writeUInt16LE(300, 6)
  image.writeUInt16LE(500, 8)
  await commitBytes(person, repo, { 'tall.gif': image })
  const late = { code: () => {}, bytes: () => {} }
  const code = new Promise<void>((resolve) => (late.code = resolve))
  const bytes = new Promise<void>((resolve) => (late.bytes = resolve))
  await page.route(scriptOf('features/content/viewers/media.tsx'), (route) =>
    code.then(() => route.continue()),
  )
  await page.route('**/resolve/main/tall.gif', (route) => bytes.then(() => route.continue()))
  await watchPage(page)
  await page.goto(`${repo.page}/blob/main/tall.gif`)
  const loading = page.getByRole('main').getByRole('status', { name: 'Loading' })
  await expect(loading).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Security' })).toHaveCount(0)
  late.code()
  await expect(page.locator('img[alt="tall.gif"]')).toBeAttached()
  await expect(loading).toBeVisible()
  late.bytes()
  const shown = page.getByRole('img', { name: 'tall.gif' })
  await expect(shown).toBeVisible()
  await expect(loading).toHaveCount(0)
  expect((await shown.boundingBox())?.height).toBe(500)
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible()
  expect((await measuredOf(page)).shift).toBeLessThanOrEqual(0.02)
})
