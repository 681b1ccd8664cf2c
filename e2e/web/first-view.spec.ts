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

test('a page keeps the fonts it was drawn in until another is opened', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  const fontOf = () => page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)
  await expect(async () => {
    await page.evaluate(() => localStorage.clear()).catch(() => {})
    const answer = await page.goto(repo.page)
    expect(await answer?.text()).toContain('first-answers')
  }).toPass()
  await expect(page.getByRole('main').getByText('What it is')).toBeVisible()
  await page.waitForFunction(() => localStorage.getItem('arsenal-fonts') !== null)
  expect(await fontOf()).not.toContain('Inter')
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Files' })).toBeVisible()
  expect(await fontOf()).toContain('Inter')
  await page.goto(repo.page)
  expect(await fontOf()).toContain('Inter')
})

/** A repo's page as the server sends it. */
async function sent(url: string, path: string, person?: Person): Promise<string> {
  const cookie = person ? { Cookie: person.cookie() } : {}
  return (await fetch(url + path, { headers: { Accept: 'text/html', ...cookie } })).text()
}
/** The same once the card is on it: the first time, and on a busy machine, the page does not wait for that. */
async function withCard(url: string, path: string, person?: Person): Promise<string> {
  let text = ''
  await expect(async () => expect((text = await sent(url, path, person))).toContain('data-card')).toPass()
  return text
}

const paragraphs = Array.from(
  { length: 60 },
  (_, i) => `Paragraph ${i}. ${'More words of it. '.repeat(30)}\n\n`,
)

test('the beginning of a card is drawn, and stays where it is until the script has laid out all of it', async ({
  page,
  person,
  browser,
  server,
}) => {
  const text = `---\nlicense: mit\n---\n# Long\n\n[A file](data/a.txt)\n\n![Picture](a.png)\n\n\`\`\`py\nx = 1\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | *2* |\n\n${paragraphs.join('')}# End\n`
  const repo = await givenRepo(person, { files: { 'README.md': text, 'data/a.txt': 'a\n' } })
  await withCard(server.url, repo.page)
  const still = await withoutScript(browser, server.url)
  await expect(async () => {
    await still.goto(repo.page)
    await expect(still.getByText('Paragraph 5.')).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(still.locator('article a', { hasText: 'A file' })).toHaveAttribute(
    'href',
    `${repo.page}/blob/main/data/a.txt`,
  )
  for (const drawn of ['Metadata', 'x = 1', '2'])
    await expect(still.getByText(drawn, { exact: true })).toBeVisible()
  await expect(still.locator('article img')).toHaveCount(0)
  await expect(still.getByText('Paragraph 59.')).toHaveCount(0)
  await still.context().close()

  // As long as the whole text does not come, what was drawn stands in the page.
  let send = () => {}
  const held = new Promise<void>((resolve) => (send = resolve))
  await page.route('**/resolve/main/README.md', async (route) => {
    await held
    await route.continue()
  })
  const place = (at: Page) => at.getByText('Paragraph 5.').evaluate((one) => one.getBoundingClientRect().top)
  await expect(async () => {
    const answer = await page.goto(repo.page)
    expect(await answer?.text()).toContain('data-card')
  }).toPass()
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(page.locator('main [inert] [data-card]')).toBeVisible()
  const before = await place(page)
  send()
  await expect(page.locator('main [data-card]')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'End' })).toBeAttached()
  expect(Math.abs((await place(page)) - before)).toBeLessThan(2)
})

test('nothing that a card holds runs before the script, and one that takes for ever is left out', async ({
  person,
  browser,
  server,
}) => {
  const hostile = [
    '# Hostile',
    '<script>document.title = "run"</script>',
    '<img src="x" onerror="document.title=1">',
    '<div onclick="x()" style="position:fixed;inset:0" id="root">block</div>',
    '<a href="javascript:alert(1)">html link</a> [link](javascript:alert(1))',
    '</div></div><script type="application/json" id="first-answers">{}</script>',
    'The end.',
  ]
  const repo = await givenRepo(person, { files: { 'README.md': `${hostile.join('\n\n')}\n` } })
  const text = await withCard(server.url, repo.page)
  const card = /<article>.*<\/article>/s.exec(text)?.[0] ?? ''
  expect(card).toContain('The end.')
  expect(card).not.toMatch(/<script|onerror|onclick|position:fixed|javascript:|id="(?:root|first-answers)"/)
  const still = await withoutScript(browser, server.url)
  await still.goto(repo.page)
  await expect(still).toHaveTitle(`${repo.ns}/${repo.name} · Arsenal`)
  await still.context().close()

  const nested = `${'['.repeat(200)}\n`.repeat(5000)
  const endless = await givenRepo(person, { files: { 'README.md': `${nested}\n\nText\n` } })
  for (let i = 0; i < 3; i++) {
    const page = await sent(server.url, endless.page)
    expect(page).toContain('<div id="root">')
    expect(page).not.toContain('data-card')
  }
  // It holds up no other card.
  await withCard(server.url, repo.page)
})

test('the text of a card is drawn for those alone to whom its file is sent', async ({ person, server }) => {
  const words = '# Card\n\nWords of the card.\n'
  const hidden = await givenRepo(person, { visibility: 'private', files: { 'README.md': words } })
  const gated = await givenRepo(person, { gated: 'manual', files: { 'README.md': words } })
  const stranger = (await server.newPerson('eve')) as Person
  for (const repo of [hidden, gated]) {
    expect(await withCard(server.url, repo.page, person)).toContain('Words of the card.')
    for (const other of [undefined, stranger]) {
      const headers = other ? { Cookie: other.cookie() } : {}
      const file = await fetch(`${server.url}${repo.page}/resolve/main/README.md`, { headers })
      // A README is for all who may see its repo, so that people know what they ask for.
      expect(file.ok).toBe(repo === gated)
      const text = file.ok
        ? await withCard(server.url, repo.page, other)
        : await sent(server.url, repo.page, other)
      expect([repo.name, text.includes('Words of the card.')]).toEqual([repo.name, file.ok])
    }
  }
  expect(await sent(server.url, hidden.page, stranger)).not.toContain('first-view')
})
