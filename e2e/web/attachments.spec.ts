import { givenDiscussion } from './community.ts'
import { expect, givenRepo, signIn, test, type Page } from './fixtures.ts'
import { png } from './png.ts'

const blue = png(320, 120, [40, 90, 200])
const image = (name: string, buffer = blue) => ({ name, mimeType: 'image/png', buffer })
const box = (page: Page) => page.getByRole('textbox', { name: 'Comment' })
const picker = (page: Page) => page.getByLabel('Images to attach').last()
const onTheirWay = (page: Page) => page.getByRole('list', { name: 'Images on their way' })

/** Pastes or drops files, as browsers tell of it. */
async function give(page: Page, event: 'paste' | 'drop', files: { name: string; bytes: Buffer }[]) {
  const plain = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }))
  await box(page).evaluate(
    (field, [kind, given]) => {
      const data = new DataTransfer()
      for (const { name, base64 } of given)
        data.items.add(
          new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type: 'image/png' }),
        )
      const init = { bubbles: true, cancelable: true }
      field.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }),
      )
    },
    [event, plain] as const,
  )
}

/** Every image of the page has been loaded and has a size. */
const widths = (page: Page) =>
  page
    .getByRole('article')
    .getByRole('img', { name: /shot|dropped|pasted|What/ })
    .evaluateAll((found) => found.map((img) => (img as HTMLImageElement).naturalWidth))

test('images are picked, pasted and dropped into a comment, described, previewed and shown', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'How does it look?', 'Show me.')
  await page.goto(`${repo.page}/discussions/${num}`)
  await box(page).fill('Like this:')
  await picker(page).setInputFiles(image('shot.png'))
  await expect(box(page)).toHaveValue(
    /^Like this:\n!\[shot\]\(http:\/\/\S+\/uploads\/[0-9a-f-]{36}\.png\)\n$/,
  )
  await expect(page.getByText('shot.png is in the text.')).toBeAttached()
  await box(page).focus()
  await page.keyboard.type('What it looks like')
  await expect(box(page)).toHaveValue(/!\[What it looks like\]\(http/)

  await page.keyboard.press('Control+End')
  await give(page, 'paste', [{ name: 'pasted.png', bytes: blue }])
  await expect(box(page)).toHaveValue(/!\[pasted\]\(http/)
  await page.keyboard.press('Control+End')
  await give(page, 'drop', [{ name: 'dropped.png', bytes: blue }])
  await expect(box(page)).toHaveValue(/!\[dropped\]\(http/)

  await page.getByText('Preview', { exact: true }).last().click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('img')).toHaveCount(3)
  await page.getByText('Write', { exact: true }).last().click()
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('img', { name: 'dropped' }).scrollIntoViewIfNeeded()
  await expect.poll(() => widths(page)).toEqual([320, 320, 320])
})

test('the description of an image is selected in the same moment as it is written', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'At once', 'Look.')
  await page.addInitScript(() => {
    const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
    if (!value?.set) throw new Error('a field has no value')
    const { set } = value
    Object.defineProperty(HTMLTextAreaElement.prototype, 'value', {
      ...value,
      set(this: HTMLTextAreaElement, text: string) {
        set.call(this, text)
        queueMicrotask(() => {
          const selected = this.value.slice(this.selectionStart, this.selectionEnd)
          if (text.includes('](')) this.dataset['selectedFirst'] ??= selected
        })
      },
    })
  })
  await page.goto(`${repo.page}/discussions/${num}`)
  await picker(page).setInputFiles(image('shot.png'))
  await expect(box(page)).toHaveValue(/!\[shot\]/)
  await expect(box(page)).toHaveAttribute('data-selected-first', 'shot')
})

test('an image is as private as its repo, and runs nowhere', async ({
  page,
  person,
  stranger,
  server,
  context,
}) => {
  const repo = await givenRepo(person, { visibility: 'private' })
  const num = await givenDiscussion(person, repo, 'Between us', 'Look.')
  await page.goto(`${repo.page}/discussions/${num}`)
  await picker(page).setInputFiles(image('shot.png'))
  await expect(box(page)).toHaveValue(/uploads/)
  const url = /\((\S+)\)/.exec(await box(page).inputValue())?.[1] ?? ''
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  const own = await context.request.get(url)
  expect(own.status()).toBe(200)
  expect(own.headers()).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox') as unknown as string,
    'cache-control': 'private, no-store',
  })
  await signIn(context, server.url, stranger)
  expect((await context.request.get(url)).status()).toBe(404)
  await person.native('PATCH', repo.api, { visibility: 'public' })
  expect((await context.request.get(url)).status()).toBe(200)
})

test('what is no image or too large is said at once, and what fails can be sent again', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Files', 'Which?')
  await page.goto(`${repo.page}/discussions/${num}`)
  await picker(page).setInputFiles({
    name: 'a.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg/>'),
  })
  await expect(page.getByText('Only PNG, JPEG, GIF and WebP images can be attached.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss a.svg' }).click()
  await picker(page).setInputFiles(image('big.png', Buffer.concat([blue], 10 * 1024 * 1024 + 1)))
  await expect(page.getByText('An image may have at most 10 MiB.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss big.png' }).click()
  await picker(page).setInputFiles(image('liar.png', Buffer.from('not an image at all')))
  await expect(page.getByText('Send a PNG, JPEG, GIF or WebP image.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss liar.png' }).click()
  await expect(onTheirWay(page)).toHaveCount(0)

  const busy = { title: 'Too many attempts', status: 429, code: 'throttled' }
  await page.route('**/attachments', (route) => route.fulfill({ status: 429, json: busy }), { times: 1 })
  await picker(page).setInputFiles(image('shot.png'))
  await expect(page.getByText('Too many attempts')).toBeVisible()
  await page.getByRole('button', { name: 'Send shot.png again' }).click()
  await expect(box(page)).toHaveValue(/!\[shot\]\(http/)
  await expect(onTheirWay(page)).toHaveCount(0)
})

test('while an image is on its way nothing is sent; it can be cancelled', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'Slow', 'Wait.')
  await page.goto(`${repo.page}/discussions/${num}`)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/attachments', (route) => held.then(() => route.continue()).catch(() => undefined))
  await box(page).fill('Here it comes.')
  await picker(page).setInputFiles([image('one.png'), image('two.png')])
  await expect(onTheirWay(page).getByRole('progressbar')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
  await box(page).press('Control+Enter')
  await page.getByRole('button', { name: 'Cancel one.png' }).click()
  await expect(onTheirWay(page).getByText('one.png')).toHaveCount(0)
  release()
  await expect(box(page)).toHaveValue(/^Here it comes\.\n!\[two\]\(http\S+\)\n$/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('img', { name: 'one' })).toHaveCount(0)
})

const testPictures = process.env['ARSENAL_SCREENS'] ? test : () => undefined

testPictures('the editor with images, in pictures', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const num = await givenDiscussion(person, repo, 'How does it look?', 'Show me.')
  for (const [width, scheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${repo.page}/discussions/${num}`)
    await picker(page).setInputFiles(image('shot.png'))
    await expect(box(page)).toHaveValue(/uploads/)
    if (width === 1280 && scheme === 'light') {
      await page.getByRole('button', { name: 'Comment', exact: true }).click()
      await expect(page.getByRole('article')).toHaveCount(2)
      await picker(page).setInputFiles(image('shot.png'))
      await expect(box(page)).toHaveValue(/uploads/)
    }
    await page.route('**/attachments', () => undefined)
    await picker(page).setInputFiles(image('a long name of a screenshot that was taken today at noon.png'))
    await picker(page).setInputFiles({
      name: 'a.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg/>'),
    })
    await expect(onTheirWay(page).getByRole('progressbar')).toHaveCount(1)
    await page.screenshot({
      path: `${process.env['ARSENAL_SCREENS']}/attach-${width}-${scheme}.png`,
      fullPage: true,
    })
    await page.unroute('**/attachments')
  }
})
