import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commitTexts } from '../community.ts'
import { expect, fresh, givenRepo, test, type Person } from '../fixtures.ts'
import { typeValue } from './typing.ts'

const readme = '---\nlicense: mit\n---\n# The card\n\nSee [the notes](docs/notes.md).\n'

test('the browser is Firefox', ({ browser }) => {
  expect(browser.browserType().name()).toBe('firefox')
  expect(Number.parseInt(browser.version())).toBeGreaterThanOrEqual(140)
})

test('a person signs in, comes back to the page they wanted, creates a repo and deletes it', async ({
  server,
  page,
}) => {
  const person = (await server.newPerson('fox')) as Person
  await page.goto('/new')
  await page.getByRole('link', { name: 'Sign in', exact: true }).first().click()
  await typeValue(page.getByLabel('Username'), person.username)
  await typeValue(page.getByRole('textbox', { name: 'Password' }), person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'New repo' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/new')

  const name = fresh('tiny')
  await typeValue(page.getByRole('textbox', { name: 'Name' }), 'settings')
  await expect(page.getByText('this word is reserved')).toBeVisible()
  await typeValue(page.getByRole('textbox', { name: 'Name' }), name)
  await expect(page.getByText('this name is free')).toBeVisible()
  await page.getByText('Public', { exact: true }).click()
  await page.getByRole('button', { name: 'Create model' }).click()
  await expect(page).toHaveURL(`/${person.username}/${name}`)
  const repo = `/repos/models/${person.username}/${name}`
  expect(await person.native('GET', repo)).toMatchObject({ visibility: 'public' })

  await page.goto(`/${person.username}/${name}/settings`)
  await page.getByRole('button', { name: 'Delete this model' }).click()
  const confirm = page.getByRole('button', { name: 'Delete model', exact: true })
  await expect(confirm).toBeDisabled()
  await typeValue(page.getByRole('dialog').getByRole('textbox'), `${person.username}/${name}`)
  await confirm.click()
  await expect(page).toHaveURL('/settings/deleted')
  expect((await person.native('GET', repo))['deleted_at']).toBeTruthy()
  expect((await fetch(`${server.url}/${person.username}/${name}/resolve/main/README.md`)).status).toBe(401)
})

test('files are uploaded, and come back byte for byte', async ({ page, person, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-firefox-'))
  try {
    const weights = randomBytes(12_000_000)
    const files = ['weights.bin', 'ünïcode name.txt'].map((name) => join(folder, name))
    await writeFile(files[0] ?? '', weights)
    await writeFile(files[1] ?? '', 'small\n')
    const repo = await givenRepo(person)
    await page.goto(`${repo.page}/upload/main`)
    // A folder cannot be chosen over BiDi; Chromium's journeys do that.
    await page.locator('input[type=file]').first().setInputFiles(files)
    await expect(page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem')).toHaveCount(2)
    await typeValue(page.getByLabel('Commit title'), 'Upload the model')
    await page.getByRole('button', { name: 'Upload 2 files' }).click()
    await expect(page).toHaveURL(`${repo.page}/tree/main`)
    const at = async (path: string) =>
      Buffer.from(await (await fetch(`${server.url}${repo.page}/resolve/main/${path}`)).arrayBuffer())
    expect((await at('weights.bin')).equals(weights)).toBe(true)
    expect(String(await at(encodeURIComponent('ünïcode name.txt')))).toBe('small\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a card is read, files are browsed by branch and folder, and the history leads to a diff', async ({
  page,
  person,
}) => {
  const files = { 'README.md': readme, 'docs/notes.md': '# Notes', 'src/deep/model.py': 'rate = 1\n' }
  const repo = await givenRepo(person, { files })
  await commitTexts(person, repo, 'main', { 'src/deep/model.py': 'rate = 2\n' })
  await page.goto(repo.page)
  await expect(page.getByRole('heading', { name: 'The card' })).toBeVisible()
  await page.getByRole('link', { name: 'the notes' }).click()
  await expect(page).toHaveURL(`${repo.page}/blob/main/docs/notes.md`)
  await expect(page.getByRole('heading', { name: 'Notes' })).toBeVisible()

  const tabs = page.getByRole('navigation', { name: 'Repo', exact: true })
  await tabs.getByRole('link', { name: 'Files' }).click()
  const table = page.getByRole('table', { name: 'Files' })
  await table.getByRole('link', { name: 'src' }).first().click()
  await table.getByRole('link', { name: 'deep' }).first().click()
  await table.getByRole('link', { name: 'model.py', exact: true }).click()
  await expect(page.getByText('rate = 2')).toBeVisible()
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('link', { name: 'Change main' }).click()
  const file = page.getByRole('region', { name: 'src/deep/model.py' })
  await expect(file.getByRole('row', { name: /- rate = 1/ })).toBeVisible()
  await expect(file.getByRole('row', { name: /\+ rate = 2/ })).toBeVisible()
})

test('lists are searched, filtered and sorted, and the address keeps it', async ({ page, person }) => {
  const word = fresh('lib').replace('-', '')
  const card = `---\nlibrary_name: ${word}\n---\n# A`
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  const other = await givenRepo(person)
  const linkTo = ({ name }: { name: string }) =>
    page.getByRole('link', { name: `${person.username}/${name}` })
  await page.goto('/models')
  await typeValue(page.getByRole('searchbox', { name: 'Filter models' }), repo.name)
  await expect(linkTo(repo)).toBeVisible()
  await expect(linkTo(other)).toHaveCount(0)
  await page.getByLabel('Sort by').selectOption('name')
  await expect(page).toHaveURL(`/models?q=${repo.name}&sort=name`)
  await page.reload()
  await expect(linkTo(repo)).toBeVisible()

  await page.goto('/models')
  await page.getByRole('button', { name: new RegExp(word) }).click()
  await expect(page).toHaveURL(`/models?library=${word}`)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await expect(linkTo(repo)).toBeVisible()
})
