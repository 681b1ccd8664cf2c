import { expect, fresh, givenRepo, signIn, test, type Page } from './fixtures.ts'
import { expectNoFault } from './look.ts'
import { png } from './png.ts'

const avatarGroup = (page: Page) => page.getByRole('group', { name: 'Avatar' })
const picked = (name: string, buffer: Buffer, mimeType = 'image/png') => ({ name, buffer, mimeType })

/** The red, green and blue in the middle of a picture on the page, once it has loaded. */
async function colourOf(page: Page, selector: string): Promise<number[]> {
  const picture = page.locator(selector).first()
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
    .toBe(true)
  return picture.evaluate((img: HTMLImageElement) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 3
    const drawing = canvas.getContext('2d')
    drawing?.drawImage(img, 0, 0, 3, 3)
    return [...(drawing?.getImageData(1, 1, 1, 1).data ?? [])].slice(0, 3)
  })
}

test('a person uploads an avatar, sees it everywhere, and goes back to the initials', async ({
  page,
  newcomer,
  stranger,
  browser,
  server,
}) => {
  const { username } = newcomer
  await page.goto('/settings')
  const upload = page.getByRole('button', { name: 'Upload avatar' })
  await expect(upload).toBeEnabled()
  const field = page.locator('input[type=file]')
  await field.setInputFiles(picked('note.txt', Buffer.from('no picture'), 'text/plain'))
  await expect(page.getByRole('alert')).toContainText('not a picture')
  // Wider than high, and far above what the server takes as it is: the page cuts out the middle.
  await field.setInputFiles(picked('photo.png', png(1200, 800, [200, 30, 40])))
  await expect(page.getByText('Avatar uploaded')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  const mine = `img[src^="/avatars/${username}.svg"]`
  await expect.poll(() => colourOf(page, mine)).toEqual([200, 30, 40])
  await page.goto(`/${username}`)
  await expect.poll(() => colourOf(page, mine)).toEqual([200, 30, 40])

  const theirs = await browser.newContext({ baseURL: server.url })
  await signIn(theirs, server.url, stranger)
  const looking = await theirs.newPage()
  await looking.goto(`/${username}`)
  await expect.poll(() => colourOf(looking, mine)).toEqual([200, 30, 40])
  await theirs.close()
  const lead = await page.request.get(`/avatars/${username}.svg`, { maxRedirects: 0 })
  expect(lead.headers()['location']).toMatch(/^\/avatars\/[0-9a-f-]{36}\.png$/)

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Remove avatar' }).click()
  await expect(page.getByText('Avatar removed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload avatar' })).toBeVisible()
  const drawn = await page.request.get(`/avatars/${username}.svg`)
  expect(drawn.headers()['content-type']).toBe('image/svg+xml')
  await expect.poll(() => colourOf(page, mine)).not.toEqual([200, 30, 40])
})

test('an admin gives an organisation its avatar', async ({ page, newcomer }) => {
  const ns = fresh('org')
  await newcomer.native('POST', '/orgs', { ns })
  await page.goto(`/${ns}/settings`)
  await expect(avatarGroup(page)).toBeVisible()
  await page.locator('input[type=file]').setInputFiles(picked('logo.png', png(64, 64, [10, 120, 60])))
  await expect(page.getByRole('button', { name: 'Change avatar' })).toBeVisible()
  await expect.poll(() => colourOf(page, `img[src^="/avatars/${ns}.svg"]`)).toEqual([10, 120, 60])
  expect(await newcomer.native('GET', `/namespaces/${ns}`)).toMatchObject({ has_avatar: true })
})

test('a README is written in place, previewed, and kept from others who changed it meanwhile', async ({
  page,
  newcomer,
  stranger,
  context,
  server,
}) => {
  const { username } = newcomer
  await page.goto(`/${username}`)
  const readme = page.getByRole('region', { name: 'README' })
  await readme.getByRole('button', { name: 'Write a README' }).click()
  const text = readme.getByRole('textbox', { name: 'README in Markdown' })
  await expect(text).toBeFocused()
  await text.fill('# I am Ada\n\nSee [my model](tiny). <img src=x onerror=alert(1)>')
  await readme.getByText('Preview').click()
  await expect(readme.getByRole('heading', { name: 'I am Ada' })).toBeVisible()
  await readme.getByText('Write', { exact: true }).click()
  await readme.getByRole('button', { name: 'Save README' }).click()
  await expect(readme.getByRole('heading', { name: 'I am Ada' })).toBeVisible()
  await expect(readme.getByRole('link', { name: 'my model' })).toHaveAttribute('href', `/${username}/tiny`)

  await readme.getByRole('button', { name: 'Edit the README' }).click()
  await text.fill('# Mine')
  await newcomer.native('PUT', `/namespaces/${username}/readme`, { text: '# From elsewhere' })
  await text.press('Control+Enter')
  await expect(readme.getByRole('alert')).toContainText('changed this README meanwhile')
  await expect(text).toHaveValue('# Mine')
  await readme.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expect(readme.getByRole('heading', { name: 'From elsewhere' })).toBeVisible()

  await signIn(context, server.url, stranger)
  await page.goto(`/${username}`)
  await expect(readme.getByRole('heading', { name: 'From elsewhere' })).toBeVisible()
  await expect(readme.getByRole('button')).toHaveCount(0)
})

test('repos are pinned by search and put in order by keys and by dragging', async ({ page, newcomer }) => {
  const { username } = newcomer
  const names: string[] = []
  for (const type of ['model', 'model', 'dataset'] as const)
    names.push((await givenRepo(newcomer, { type, visibility: 'private' })).name)
  const [a, b, c] = names as [string, string, string]
  await page.goto(`/${username}`)
  const section = page.getByRole('region', { name: 'pinned' })
  await section.getByRole('button', { name: 'Pin repos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pinned repos' })
  const rows = dialog.getByRole('list', { name: 'Pinned repos' }).getByRole('listitem')
  const box = dialog.getByRole('combobox', { name: 'Pin a repo' })
  for (const [i, name] of names.entries()) {
    await box.fill(name)
    await page.getByRole('option', { name }).click()
    await expect(rows).toHaveCount(i + 1)
  }
  await expect(rows).toContainText([a, b, c])
  const down = dialog.getByRole('button', { name: `Move ${a} down` })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(rows).toContainText([b, a, c])
  await expect(down).toBeFocused()
  await expect(dialog.getByRole('status').filter({ hasText: `${a} is now 2 of 3` })).toHaveCount(1)
  const grip = rows.nth(2).locator('button').first()
  await grip.hover()
  await page.mouse.down()
  const first = await rows.first().boundingBox()
  await page.mouse.move((first?.x ?? 0) + 20, (first?.y ?? 0) + 5, { steps: 5 })
  await page.mouse.up()
  await expect(rows).toContainText([c, b, a])
  await dialog.getByRole('button', { name: 'Save pinned repos' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(section.getByRole('listitem')).toContainText([c, b, a])
  const stored = await newcomer.native<{ items: { name: string }[] }>('GET', `/namespaces/${username}/pinned`)
  expect(stored.items.map(({ name }) => name)).toEqual([c, b, a])

  await section.getByRole('button', { name: 'Change pinned repos' }).click()
  await dialog.getByRole('button', { name: `Remove ${b}` }).click()
  await expect(rows).toContainText([c, a])
  await expectNoFault(page)
  await dialog.getByRole('button', { name: 'Save pinned repos' }).click()
  await expect(section.getByRole('listitem')).toContainText([c, a])
})
