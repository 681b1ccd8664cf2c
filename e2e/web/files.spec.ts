import { readFile } from 'node:fs/promises'
import { expect, givenRepo, scriptOf, test } from './fixtures.ts'

const readme = '---\nlicense: mit\n---\n# The card\n\nSee [the notes](docs/notes.md).\n'

test('the card is read, its links stay within the repo', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'README.md': readme, 'docs/notes.md': '# Notes' } })
  await page.goto(repo.page)
  await expect(page.getByRole('heading', { name: 'The card' })).toBeVisible()
  await page.getByRole('link', { name: 'the notes' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/docs/notes.md`)
  await expect(page.getByRole('heading', { name: 'Notes' })).toBeVisible()
})

test('a card nested without end is shown as written, an address with an odd fragment as any other', async ({
  page,
  person,
}) => {
  const nested = `${'<div>'.repeat(5000)}the middle`
  const fine = `# Fine\n\n$${'\\frac{1}{'.repeat(1000)}the end${'}'.repeat(1000)}$\n`
  const repo = await givenRepo(person, { files: { 'README.md': nested, 'fine.md': fine } })
  await page.goto(repo.page)
  await expect(page.getByText('It is shown as it was written.')).toBeVisible()
  await expect(page.getByText('the middle')).toBeAttached()
  await page.goto(`${repo.page}/blob/main/fine.md#%zz`)
  await expect(page.getByText('the end')).toBeAttached()
  await expect(page.getByRole('heading', { name: 'Fine' })).toBeVisible()
})

test('a card that takes too long to parse is shown as written, and its page answers meanwhile', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '*a_'.repeat(20_000), 'a.txt': 'a\n' } })
  await page.goto(repo.page)
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Files' })
    .click()
  await expect(page.getByRole('link', { name: 'a.txt' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('It is shown as it was written.')).toBeVisible()
})

test('a link leads to a line far down in a long text, and the permalink keeps the lines', async ({
  page,
  context,
  person,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = Array.from({ length: 20_000 }, (_, i) => `value_${i + 1} = ${i}`).join('\n')
  const repo = await givenRepo(person, { files: { 'many.py': text } })
  await page.goto(`${repo.page}/blob/main/many.py#L15000-L15002`)
  await expect(page.getByText('value_15001 =')).toBeInViewport()
  await expect(page.locator('[data-selected]')).toHaveCount(3)
  // Coloured where it is looked at.
  await expect(page.locator('[data-selected] code span').first()).toBeVisible()
  await page.getByRole('link', { name: 'Permalink' }).click()
  await expect(page).toHaveURL(/\/blob\/[0-9a-f]{40}\/many\.py#L15000-L15002$/)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
})

test('files are browsed by branch, folder and key', async ({ page, person }) => {
  const files = {
    'src/deep/model.py': 'def f():\n    return 1\n',
    'a b/ü #1.txt': 'odd name\n',
    'top.txt': 'top\n',
  }
  const repo = await givenRepo(person, { files })
  await person.native('POST', `${repo.api}/branches`, { name: 'feature/long', from: 'main' })
  await page.goto(`${repo.page}/tree/main`)
  await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'a b' }).click()
  await page.getByRole('link', { name: 'ü #1.txt' }).click()
  await expect(page.getByText('odd name')).toBeVisible()

  await page.getByRole('button', { name: 'Revision main' }).click()
  await page.getByRole('link', { name: 'feature/long' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/feature%2Flong/a%20b/%C3%BC%20%231.txt`)
  await expect(page.getByText('odd name')).toBeVisible()

  await page.getByRole('main').focus()
  await page.keyboard.press('t')
  await page.getByRole('textbox', { name: 'Part of the path' }).fill('modpy')
  await expect(page.getByRole('link', { name: 'src/deep/model.py' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${repo.page}/blob/feature%2Flong/src/deep/model.py`)

  await page.getByRole('main').focus()
  await page.keyboard.press('y')
  const { commit } = await person.native<{ commit: string }>('GET', `${repo.api}/tree/main`)
  await expect(page).toHaveURL(`${repo.page}/blob/${commit}/src/deep/model.py`)
})

test('each entry of a folder has a picture of its kind', async ({ page, person }) => {
  const kinds = {
    'weights.safetensors': 'cube',
    'rows.csv': 'table',
    'shot.png': 'photo',
    'song.mp3': 'music',
    'film.mp4': 'movie',
    'README.md': 'file-text',
    'config.json': 'braces',
    'train.py': 'file-code',
    'all.zip': 'file-zip',
    LICENCE: 'file',
  }
  const names = ['data/a.txt', ...Object.keys(kinds)]
  const repo = await givenRepo(person, { files: Object.fromEntries(names.map((name) => [name, 'x\n'])) })
  await page.goto(`${repo.page}/tree/main`)
  const table = page.getByRole('table', { name: 'Files' })
  const row = (name: string) =>
    table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(row('data').getByLabel('Folder')).toBeVisible()
  for (const [name, kind] of Object.entries(kinds))
    await expect(row(name).locator(`svg.tabler-icon-${kind}`), name).toBeVisible()
})

test('the history of a folder is reached from its page, and has its commits alone', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'data/a.txt': 'a\n', 'b.txt': 'b\n' } })
  const commit = (title: string, path: string) =>
    person.native('POST', `${repo.api}/commits`, {
      title,
      operations: [{ op: 'add', path, text: `${title}\n` }],
    })
  await commit('Inside', 'data/a.txt')
  await commit('Outside', 'b.txt')
  await page.goto(`${repo.page}/tree/main`)
  await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'data', exact: true }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main/data`)
  await page.getByRole('link', { name: 'History' }).press('Enter')
  await expect(page).toHaveURL(/\/commits\/main.*data/)
  await expect(page.getByRole('link', { name: 'Add files' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Inside' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Outside' })).toHaveCount(0)
})

test('a file is edited by a pull request, which leaves the branch as it is', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\n' } })
  const stored = async (rev: string) =>
    (await fetch(`${server.url}${repo.page}/resolve/${encodeURIComponent(rev)}/notes.txt`)).text()
  await page.goto(`${repo.page}/blob/main/notes.txt`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Text').fill('two\n')
  await page.getByLabel('Commit title').fill('Say two')
  await page.getByRole('radio', { name: 'As a pull request, to be looked at and merged' }).check()
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)
  await expect(page.getByRole('heading', { name: /^Say two/ })).toBeVisible()
  expect([await stored('main'), await stored('refs/pr/1')]).toEqual(['one\n', 'two\n'])
  await page
    .getByRole('navigation', { name: 'Pull request' })
    .getByRole('link', { name: 'Files changed' })
    .click()
  const file = page.getByRole('region', { name: 'notes.txt' })
  await expect(file.getByRole('row', { name: /- one/ })).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ two/ })).toBeVisible()
})

test('a file is shown raw, and downloaded byte for byte', async ({ page, person }) => {
  const text = 'a\r\nb, ü\n'
  const repo = await givenRepo(person, { files: { 'notes.txt': text } })
  await page.goto(`${repo.page}/blob/main/notes.txt`)
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe('notes.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe(text)
  await page.getByRole('link', { name: 'Raw' }).click()
  await expect(page).toHaveURL(`${repo.page}/raw/main/notes.txt`)
  await expect(page.locator('pre')).toHaveText('a b, ü')
})

test('a line is linked, a range by shift', async ({ page, person }) => {
  const text = Array.from({ length: 300 }, (_, i) => `value_${i + 1} = ${i}`).join('\n')
  const repo = await givenRepo(person, { files: { 'long.py': text } })
  await page.goto(`${repo.page}/blob/main/long.py#L250-L252`)
  await expect(page.getByText('value_251 =')).toBeInViewport()
  await page.getByRole('link', { name: '251', exact: true }).click()
  await expect(page).toHaveURL(/#L251$/)
  await page.getByRole('link', { name: '255', exact: true }).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/#L251-L255$/)
  await expect(page.locator('[data-selected]')).toHaveCount(5)
})

test('a file is written, shown with its history, and deleted', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'README.md': readme } })
  await page.goto(`${repo.page}/tree/main`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'New file' }).click()
  await page.getByLabel('File name').fill('docs/config.json')
  await page.getByLabel('Text').fill('{"answer": 42}')
  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/docs/config.json`)
  await page.getByText('Tree', { exact: true }).click()
  await expect(page.getByText('answer:')).toBeVisible()

  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('link', { name: 'Create docs/config.json' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main/docs`)
  const root = await person.native<{ entries: { name: string }[] }>('GET', `${repo.api}/tree/main`)
  expect(root.entries.map(({ name }) => name)).not.toContain('docs')
})

test('history leads to a diff', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'x\n' } })
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Change two',
    body: 'With a reason.',
    operations: [
      { op: 'add', path: 'a.txt', text: 'one\nTWO\nthree\n' },
      { op: 'delete', path: 'gone.txt' },
    ],
  })
  await page.goto(`${repo.page}/commits/main`)
  await page.getByRole('link', { name: 'Change two' }).click()
  await expect(page.getByText('With a reason.')).toBeVisible()
  const file = page.getByRole('region', { name: 'a.txt' })
  await expect(file.getByRole('cell', { name: '- two' })).toBeVisible()
  await expect(file.getByRole('cell', { name: '+ TWO' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'gone.txt' }).getByText('deleted')).toBeVisible()
  await page.getByRole('link', { name: 'Files at this commit' }).click()
  const files = page.getByRole('table', { name: 'Files' })
  await expect(files.getByRole('link', { name: 'a.txt', exact: true })).toBeVisible()
})

test('a folder is fetched as a zip by a job', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'data/a.txt': 'a\n', 'data/b.txt': 'b\n' } })
  await page.goto(`${repo.page}/tree/main/data`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download as zip' }).click()
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]+$/)
  await expect(page.getByText('succeeded', { exact: true })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
})

test('a branch begins from the revision that is shown', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a\n' } })
  await page.goto(`${repo.page}/tree/main`)
  await page.getByRole('button', { name: 'Revision main' }).click()
  await page.getByRole('textbox', { name: 'Filter or name a new branch' }).fill('try/out')
  await page.getByRole('button', { name: 'New branch try/out from main' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/try%2Fout`)
  const refs = await person.native<{ branches: { name: string }[] }>('GET', `${repo.api}/refs`)
  expect(refs.branches.map(({ name }) => name)).toContain('try/out')
})

test('what a press opens stays closed where Escape was pressed before it came', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'data/a.txt': 'a\n' } })
  const openers = [
    ['Revision main', 'features/content/rev-popover.tsx', page.getByRole('dialog', { name: 'Revisions' })],
    ['More', 'features/content/more-menu.tsx', page.getByRole('menu')],
  ] as const
  for (const [name, module, opened] of openers) {
    const script = scriptOf(module)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(script, (route) => held.then(() => route.continue()))
    await page.goto(`${repo.page}/tree/main/data`)
    const opener = page.getByRole('button', { name, exact: true })
    const asked = page.waitForRequest(script)
    await opener.click()
    await expect(opener).toHaveAttribute('aria-expanded', 'true')
    const code = (await asked).url()
    await page.keyboard.press('Escape')
    await expect(opener).toHaveAttribute('aria-expanded', 'false')
    release()
    await page.evaluate((url) => import(url), code)
    await expect(opener).toBeFocused()
    await expect(opened).toHaveCount(0)

    await opener.click()
    await expect(opened).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
})

test('a text is edited: its line ends stay, and what somebody else wrote into it meanwhile is not lost', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\r\ntwo\r\n', 'other.txt': 'a\n' } })
  const stored = async () => (await fetch(`${server.url}${repo.page}/resolve/main/notes.txt`)).text()
  await page.goto(`${repo.page}/blob/main/notes.txt`)
  await page.getByRole('link', { name: 'Edit' }).click()
  const commit = page.getByRole('button', { name: 'Commit to main' })
  await expect(commit).toBeDisabled()
  await page.getByLabel('Text').fill('one\n2\n')
  const meanwhile = (path: string, text: string) =>
    person.native('POST', `${repo.api}/commits`, {
      title: 'Meanwhile',
      operations: [{ op: 'add', path, text }],
    })
  await meanwhile('other.txt', 'b\n')
  await commit.click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/notes.txt`)
  expect(await stored()).toBe('one\r\n2\r\n')

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Text').fill('mine\n')
  await meanwhile('notes.txt', 'theirs\n')
  await commit.click()
  await expect(page.getByText('Somebody else has changed this file meanwhile')).toBeVisible()
  await expect(page.getByLabel('Text')).toContainText('mine')
  expect(await stored()).toBe('theirs\n')
})
