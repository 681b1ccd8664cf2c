import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, givenRepo, scriptOf, signIn, test, type Page } from './fixtures.ts'

const MB = 1_000_000
let folder = ''
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arsenal-upload-'))
})
test.afterEach(() => rm(folder, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const chooseFolder = (page: Page, path: string) => page.getByLabel('Folder to upload').setInputFiles(path)

test('a folder with a large file is uploaded, listed, and comes back byte for byte', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# Before' } })
  const large = randomBytes(90 * MB)
  await mkdir(join(folder, 'model', 'nested'), { recursive: true })
  await writeFile(join(folder, 'model', 'weights.bin'), large)
  await writeFile(join(folder, 'model', 'nested', 'ünïcode name.txt'), 'small\n')
  await writeFile(join(folder, 'model', '.DS_Store'), 'litter')

  await page.goto(`${repo.page}/upload/main`)
  await chooseFolder(page, join(folder, 'model'))
  const chosen = page.getByRole('list', { name: 'Chosen files' })
  await expect(chosen.getByRole('listitem')).toHaveCount(2)
  await page.getByLabel('Commit title').fill('Upload the model')
  await page.getByRole('button', { name: 'Upload 2 files' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main`, { timeout: 60_000 })
  await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'model', exact: true }).click()
  await expect(page.getByText('90.0 MB')).toBeVisible()

  await page.getByRole('link', { name: 'weights.bin' }).click()
  await expect(page.getByText(sha256(large))).toBeVisible()
  const answer = await fetch(`${server.url}${repo.page}/resolve/main/model/weights.bin`)
  expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(large))
  const text = await fetch(
    `${server.url}${repo.page}/resolve/main/model/nested/${encodeURIComponent('ünïcode name.txt')}`,
  )
  expect(await text.text()).toBe('small\n')
})

test('an upload that a reload cut off goes on with the parts the server holds', async ({ page, person }) => {
  test.setTimeout(120_000)
  const repo = await givenRepo(person)
  const large = randomBytes(200 * MB)
  await writeFile(join(folder, 'big.bin'), large)
  const file = join(folder, 'big.bin')
  let sent = 0
  // The third part never arrives, as if the connection had broken there.
  await page.route('**/uploads/*/parts/*', (route) =>
    ++sent > 2 ? new Promise(() => undefined) : route.continue(),
  )
  await page.goto(`${repo.page}/upload/main`)
  await page.locator('input[type=file]').first().setInputFiles(file)
  const planned = page.waitForResponse((answer) => answer.url().endsWith(`${repo.api}/uploads`))
  const stored = page.waitForResponse((answer) => answer.url().includes('/parts/') && answer.ok())
  await page.getByRole('button', { name: 'Upload the file' }).click()
  const { upload } = (
    (await (await planned).json()) as { files: [{ upload: { id: string; parts: unknown[] } }] }
  ).files[0]
  await stored
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`${repo.page}/upload/main`)
  // Only now, since the first page would send the other parts.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByText('Unfinished uploads')).toBeVisible()
  const held = await person.native<{ parts: unknown[] }>('GET', `${repo.api}/uploads/${upload.id}`)
  expect(held.parts.length).toBeGreaterThan(0)

  const parts: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/parts/')) parts.push(request.url())
  })
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.getByRole('button', { name: 'Upload the file' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main`, { timeout: 60_000 })
  const { file: entry } = await person.native<{ file: { lfs: { sha256: string } } }>(
    'GET',
    `${repo.api}/tree/main/big.bin`,
  )
  expect(entry.lfs.sha256).toBe(sha256(large))
  expect(parts).toHaveLength(upload.parts.length - held.parts.length)
})

test('an upload after a sign-out says so, and goes on after the next sign-in', async ({
  page,
  newcomer,
  server,
  context,
}) => {
  const repo = await givenRepo(newcomer, { visibility: 'private' })
  await writeFile(join(folder, 'big.bin'), randomBytes(20 * MB))
  const parts: string[] = []
  await page.route('**/uploads/*/parts/2', async (route) => {
    if (parts.push(route.request().url()) === 1) {
      await context.clearCookies()
      await newcomer.native('POST', '/auth/logout')
    }
    await route.continue()
  })
  await page.goto(`${repo.page}/upload/main`)
  await page.locator('input[type=file]').first().setInputFiles(join(folder, 'big.bin'))
  const upload = page.getByRole('button', { name: 'Upload the file' })
  await upload.click()
  await expect(page.getByRole('alert')).toContainText('You have been signed out')
  await signIn(context, server.url, await server.login(newcomer.username, newcomer.password))
  await upload.click()
  await expect(page).toHaveURL(`${repo.page}/tree/main`)
})

test('a file that was changed after it was chosen is named, and goes when it is chosen again', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const choose = (name: string) => page.locator('input[type=file]').first().setInputFiles(join(folder, name))
  const sizes = { 'small.txt': 100, 'large.bin': 20 * MB }
  await page.goto(`${repo.page}/upload/main`)
  for (const [name, bytes] of Object.entries(sizes)) {
    await writeFile(join(folder, name), randomBytes(bytes))
    await choose(name)
  }
  await expect(page.getByText('ready', { exact: true })).toHaveCount(2)
  for (const [name, bytes] of Object.entries(sizes)) {
    await writeFile(join(folder, name), randomBytes(bytes + 1))
    await page.getByRole('button', { name: /^Upload/ }).click()
    await expect(page.getByRole('alert')).toContainText(`${name} cannot be read`)
    await choose(name)
    await expect(page.getByText('ready', { exact: true })).toHaveCount(2)
  }
  await page.getByRole('button', { name: /^Upload/ }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main`)
})

/** Drags files over the page. A script can make no folder to drop: the browser itself does it, as the desktop would have it. */
async function dragOf(page: Page, files: string[]) {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  return (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 700, data })
}

test('a file and a folder are dropped anywhere on the page of a folder, and keep their paths', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'data/README.md': '# Data' } })
  await mkdir(join(folder, 'runs', 'first'), { recursive: true })
  await writeFile(join(folder, 'runs', 'first', 'log.txt'), 'one\n')
  await writeFile(join(folder, 'runs', 'notes.txt'), 'two\n')
  await writeFile(join(folder, 'single.txt'), 'three\n')
  await page.goto(`${repo.page}/tree/main/data`)
  await expect(page.getByRole('link', { name: 'README.md', exact: true })).toBeVisible()
  const drag = await dragOf(page, [join(folder, 'runs'), join(folder, 'single.txt')])
  // The page listens a moment after it shows its files.
  await expect(async () => {
    await drag('dragEnter')
    await expect(page.getByText('Drop to upload to data')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await drag('dragOver')
  await drag('drop')
  await expect(page).toHaveURL(`${repo.page}/upload/main?path=data`)
  const chosen = page.getByRole('list', { name: 'Chosen files' })
  await expect(chosen.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Upload 3 files' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main/data`)
  for (const [path, text] of [
    ['data/runs/first/log.txt', 'one\n'],
    ['data/runs/notes.txt', 'two\n'],
    ['data/single.txt', 'three\n'],
  ])
    expect(await (await fetch(`${server.url}${repo.page}/resolve/main/${path}`)).text()).toBe(text)
})

test('a drop that comes before the page can take it is answered, and a drag that leaves shows nothing', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# A' } })
  await writeFile(join(folder, 'late.txt'), 'late\n')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let isAsked = false
  await page.route(scriptOf('features/content/files/drop-overlay.tsx'), async (route) => {
    isAsked = true
    await held
    await route.continue()
  })
  await page.goto(`${repo.page}/tree/main`)
  await expect(page.getByRole('link', { name: 'Upload' })).toBeVisible()
  const drag = await dragOf(page, [join(folder, 'late.txt')])
  await expect(async () => {
    await drag('dragEnter')
    expect(isAsked).toBe(true)
  }).toPass()
  for (const step of ['dragOver', 'drop'] as const) await drag(step)
  await expect(page.getByText('The page was not ready yet. Drop the files again.')).toBeVisible()
  release()
  const overlay = page.getByText(`Drop to upload to ${repo.name}`)
  const dataTransfer = await page.evaluateHandle(() => {
    const dragged = new DataTransfer()
    dragged.items.add(new File(['one'], 'one.txt'))
    return dragged
  })
  const heading = page.getByRole('heading', { name: `${person.username}/${repo.name}` })
  await heading.dispatchEvent('dragenter', { dataTransfer })
  await expect(overlay).toBeVisible()
  await heading.dispatchEvent('dragleave', { dataTransfer })
  await expect(overlay).toHaveCount(0)
  for (const step of ['dragEnter', 'dragOver', 'drop'] as const) await drag(step)
  await expect(page).toHaveURL(`${repo.page}/upload/main`)
  await expect(page.getByRole('list', { name: 'Chosen files' })).toContainText('late.txt')
})

test('files are dropped on the page, one is left out', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await page.goto(`${repo.page}/upload/main`)
  const transfer = await page.evaluateHandle(() => {
    const dropped = new DataTransfer()
    dropped.items.add(new File(['one'], 'one.txt'))
    dropped.items.add(new File(['two'], 'two.txt'))
    return dropped
  })
  await page.getByText('Drop files or folders here').dispatchEvent('drop', { dataTransfer: transfer })
  await page.getByRole('button', { name: 'Leave out two.txt' }).click()
  await page.getByRole('button', { name: 'Upload the file' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main`)
  await expect(page.getByRole('link', { name: 'one.txt', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'two.txt' })).toHaveCount(0)
})
