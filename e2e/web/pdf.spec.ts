import { lookAt } from './look.ts'
import { expect, givenRepo, test, type Person } from './fixtures.ts'
import { pdfFile } from './pdf-file.ts'

async function givenPdf(person: Person, pdf: Buffer): Promise<string> {
  const repo = await givenRepo(person)
  const operations = [{ op: 'add', path: 'paper.pdf', content: pdf.toString('base64') }]
  await person.native('POST', `${repo.api}/commits`, { branch: 'main', title: 'Add a paper', operations })
  return `${repo.page}/blob/main/paper.pdf`
}

test('a PDF that a browser printed is drawn page by page, as it is scrolled and zoomed', async ({
  page,
  person,
}) => {
  const sheets = Array.from({ length: 12 }, (_, i) => `<h1 style="break-after: page">Chapter ${i + 1}</h1>`)
  await page.setContent(sheets.join(''))
  const address = await givenPdf(person, await page.pdf({ format: 'A4' }))
  await page.goto(address)
  await expect(page.getByText('Page 1 of')).toBeVisible()
  await expect(page.locator('[data-page="1"] canvas[data-drawn]')).toBeVisible()
  await expect(page.getByText('Chapter 1', { exact: true })).toBeAttached()
  // Far pages wait until somebody scrolls there.
  await expect(page.locator('[data-page="12"] canvas')).toHaveCount(0)
  await page.locator('[data-page="12"]').scrollIntoViewIfNeeded()
  await expect(page.locator('[data-page="12"] canvas[data-drawn]')).toBeVisible()
  await expect(page.getByText('Chapter 12', { exact: true })).toBeAttached()
  await expect(page.locator('[data-page="1"] canvas')).toHaveCount(0)
  const widthOf = async () => (await page.locator('[data-page="12"]').boundingBox())?.width ?? 0
  const before = await widthOf()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(widthOf).toBeCloseTo(1.25 * before, -1)
  await expect(page.locator('[data-page="12"] canvas[data-drawn]')).toBeVisible()
  await lookAt(page, { pdf: address }, () =>
    expect(page.locator('[data-page="1"] canvas[data-drawn]')).toBeVisible(),
  )
})

test('a PDF finds fonts that it does not bring, and no script in it runs', async ({ page, person }) => {
  const address = await givenPdf(
    person,
    pdfFile(['Weights and measures'], { script: 'app.alert("run"); document.title = "run"' }),
  )
  const fonts: string[] = []
  page.on('request', (request) => fonts.push(request.url()))
  page.on('dialog', () => fonts.push('a dialog'))
  await page.goto(address)
  await expect(page.locator('[data-page="1"] canvas[data-drawn]')).toBeVisible()
  await expect(page.getByText('Weights and measures')).toBeAttached()
  expect(fonts.filter((url) => /Liberation|Foxit/.test(url)).length).toBeGreaterThan(0)
  expect(fonts).not.toContain('a dialog')
  await expect(page).toHaveTitle(/^paper\.pdf/)
})

test('a locked PDF opens with its password', async ({ page, person }) => {
  await page.goto(await givenPdf(person, pdfFile(['Sealed'], { password: 'otter' })))
  const password = page.getByLabel('Password of this PDF')
  await password.fill('badger')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByText('Wrong password.')).toBeVisible()
  await password.fill('otter')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByText('Sealed')).toBeAttached()
})

test('what is no PDF is named so', async ({ page, person }) => {
  await page.goto(await givenPdf(person, Buffer.from('not a PDF')))
  await expect(page.getByText('This file is no PDF, or it is damaged.')).toBeVisible()
})
