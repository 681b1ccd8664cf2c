import type { Browser } from '@playwright/test'
import { expect, givenRepo, signIn, test, type Page, type Person } from './fixtures.ts'

const card = '# Card\n\nWhat it is <b>for</b>.\n'

/** A page whose script does not run: all that it shows, the server drew. */
async function withoutScript(browser: Browser, url: string, person?: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, javaScriptEnabled: false })
  if (person) await signIn(context, url, person)
  return context.newPage()
}

test('a list and a repo are drawn for who may see them before a script runs', async ({
  person,
  browser,
  server,
}) => {
  const open = await givenRepo(person, { files: { 'README.md': card } })
  const hidden = await givenRepo(person, { visibility: 'private', files: { 'README.md': card } })
  const [own, strange] = [
    await withoutScript(browser, server.url, person),
    await withoutScript(browser, server.url),
  ]
  // A busy server leaves the drawing to the script.
  const drawn = (page: Page, path: string, text: string) =>
    expect(async () => {
      await page.goto(path)
      await expect(page.getByText(text)).toBeVisible({ timeout: 500 })
    }).toPass()
  await drawn(strange, '/models', `${open.ns}/${open.name}`)
  await expect(strange.getByText(hidden.name)).toHaveCount(0)
  await drawn(own, '/models', `${open.ns}/${open.name}`)
  await expect(own.getByText(`${hidden.ns}/${hidden.name}`)).toBeVisible()
  await drawn(own, hidden.page, 'Settings')
  await expect(own).toHaveTitle(`${hidden.ns}/${hidden.name} · Arsenal`)
  await strange.goto(hidden.page)
  await expect(strange).toHaveTitle('Arsenal')
  expect(await strange.content()).not.toContain('first-view')
  for (const page of [own, strange]) await page.context().close()
})

test('what is drawn is kept by no cache, and holds no token', async ({ person, server }) => {
  const { page } = await givenRepo(person, { files: { 'README.md': card } })
  const { csrf_token: csrf } = await person.native<{ csrf_token: string }>('GET', '/me')
  const drawn = async (path: string, cookie: string) => {
    const answer = await fetch(server.url + path, { headers: { Accept: 'text/html', Cookie: cookie } })
    return { kept: answer.headers.get('Cache-Control'), text: await answer.text() }
  }
  for (const path of ['/models', page]) {
    await expect(async () => {
      const { kept, text } = await drawn(path, person.cookie())
      expect(text).toContain('<div id="first-view" inert')
      expect(text).toContain('Account of')
      expect(text).not.toContain(csrf)
      expect(kept).toBe('private, no-store')
    }).toPass()
    expect((await drawn(path, 'service_session=none')).text).not.toContain('Account of')
  }
})

test('the script takes the page over with the answers that came with it', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const takenOver = (path: string, drawn: string) =>
    expect(async () => {
      asked.length = 0
      const answer = await page.goto(path)
      expect(await answer?.text()).toContain('first-answers')
      await expect(page.getByRole('main').getByText(drawn).first()).toBeVisible()
      await expect(page.locator('#first-view')).toHaveCount(0)
    }).toPass()
  await takenOver('/models', repo.name)
  expect(asked).toContain('/api/service/v1/me')
  expect(asked).not.toContain('/api/service/v1/repos')
  await takenOver(repo.page, 'What it is')
  expect(asked).toContain(`${repo.page}/resolve/main/README.md`)
  expect(asked.filter((path) => /\/repos\/models\/[^/]+\/[^/]+(?:\/tree\/main)?$/.test(path))).toEqual([])
})
