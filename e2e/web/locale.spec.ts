import { expect, givenRepo, signIn, test } from './fixtures.ts'

// The browser of all other tests speaks American English.
for (const [how, javaScriptEnabled] of [
  ['as the browser writes them', true],
  ['the same before the script runs', false],
] as const)
  test(`numbers, sizes and dates are written ${how}`, async ({ person, browser, server }) => {
    const repo = await givenRepo(person, { files: { 'README.md': '# Card\n', 'a.txt': 'x'.repeat(12_345) } })
    const context = await browser.newContext({ baseURL: server.url, locale: 'de-DE', javaScriptEnabled })
    await signIn(context, server.url, person)
    const page = await context.newPage()
    // A busy server leaves the drawing to the script.
    await expect(async () => {
      await page.goto(repo.page)
      await expect(page.getByTitle(/^1\d\.\d{3} bytes$/)).toHaveText(/^1\d,\d kB$/, { timeout: 1000 })
    }).toPass()
    if (javaScriptEnabled) {
      await page.goto(`${repo.page}/commits/main`)
      const today = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long' }).format(new Date())
      await expect(page.getByRole('heading', { name: today })).toBeVisible()
      await expect(page.getByText('just now').first()).toBeVisible()
      await page.goto(`${repo.page}/insights`)
      const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'UTC' }).format(
        new Date(),
      )
      await expect(page.getByText(`Recorded since ${day}.`)).toBeVisible()
    }
    await context.close()
  })
