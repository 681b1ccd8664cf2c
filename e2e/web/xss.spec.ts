import { givenDiscussion, givenPull } from './community.ts'
import { expect, givenRepo, test } from './fixtures.ts'

/** Each would set `window.hacked` if a page ever ran it. */
const corpus = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '<svg onload="window.hacked=1"><script>window.hacked=1</script></svg>',
  '<svg><animate onbegin="window.hacked=1" attributeName=x dur=1s></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hacked=1"></style></mglyph></table></mtext></math>',
  '<iframe src="javascript:window.hacked=1"></iframe>',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<object data="javascript:window.hacked=1"></object>',
  '<embed src="javascript:window.hacked=1">',
  '<a href="javascript:window.hacked=1">click me</a>',
  '<a href="JaVaScRiPt:window.hacked=1">click me</a>',
  '<a href="java&#x0A;script:window.hacked=1">click me</a>',
  '<a href="&#x6A;avascript:window.hacked=1">click me</a>',
  '<a href="data:text/html,<script>window.hacked=1</script>">click me</a>',
  '[click me](javascript:window.hacked=1)',
  '[click me](<java\tscript:window.hacked=1>)',
  '![x](javascript:window.hacked=1)',
  '![x"onerror="window.hacked=1](x)',
  '<form action="javascript:window.hacked=1"><button>click me</button></form>',
  '<button onclick="window.hacked=1">click me</button>',
  '<details open ontoggle="window.hacked=1"><summary>x</summary></details>',
  '<video><source onerror="window.hacked=1"></video>',
  '<body onload="window.hacked=1">',
  '<style>@import "https://evil.example/x.css"; * { background: url(https://evil.example/y) }</style>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0; url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<p style="background:url(https://evil.example/z)" id="root" class="mantine-Modal-root">styled</p>',
  '<img src="https://evil.example/track.gif" srcset="https://evil.example/2x.gif 2x">',
  '<picture><source srcset="https://evil.example/p.gif"><img src="x.png"></picture>',
  '<input type="image" src="https://evil.example/i.gif" onfocus="window.hacked=1" autofocus>',
  '<template><script>window.hacked=1</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=window.hacked=1>"></noscript>',
  '<!--><img src=x onerror="window.hacked=1">-->',
  '<div><!-- --!><script>window.hacked=1</script> --></div>',
  '$\\href{javascript:window.hacked=1}{click me}$',
  '$\\htmlData{x=y}{z} \\includegraphics{https://evil.example/k.png}$',
  '```html\n<script>window.hacked=1</script>\n```',
  '```"><script>window.hacked=1</script>\nx\n```',
  '<h1 id="main">clobber</h1><a id="location" name="cookie">x</a>',
]

test("nothing in a card runs, loads from elsewhere, or takes the page's names", async ({
  page,
  person,
  server,
}) => {
  const files = { 'README.md': `# Safe\n\n${corpus.join('\n\n')}\n\n# The end\n` }
  const repo = await givenRepo(person, { files })
  for (const address of [repo.page, `${repo.page}/tree/main`, `${repo.page}/blob/main/README.md`]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'The end' })).toBeVisible()
    for (const link of await page.getByText('click me').all()) await link.dispatchEvent('click')
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined()
    const article = page.getByRole('article')
    for (const selector of [
      'script',
      'style',
      'iframe',
      'object',
      'embed',
      'form',
      'link',
      'meta',
      'base',
      '[style*=evil]',
    ])
      await expect(article.locator(selector)).toHaveCount(0)
    const hrefs = await article
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol))
    expect(hrefs.filter((protocol) => !/^https?:$|^mailto:$/.test(protocol))).toEqual([])
    await expect(page.locator('#main')).toHaveCount(1)
    expect(new URL(page.url()).origin).toBe(server.url)
  }
})

test('links that people wrote carry no endorsement', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'README.md': '[out](https://example.org/x)' } })
  await page.goto(repo.page)
  await expect(page.getByRole('link', { name: 'out' })).toHaveAttribute('rel', 'nofollow ugc noopener')
})

test('what people write in names, titles and descriptions is text', async ({ page, person }) => {
  const evil = '"><img src=x onerror="window.hacked=1">'
  const repo = await givenRepo(person)
  await person.native('PATCH', repo.api, { description: evil })
  await person.native('PATCH', '/me', { display_name: evil })
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: evil,
    body: evil,
    operations: [{ op: 'add', path: `${evil.replaceAll('/', '')}.md`, text: evil }],
  })
  for (const address of [
    repo.page,
    `${repo.page}/tree/main`,
    `${repo.page}/commits/main`,
    `/${person.username}`,
    '/models',
    '/',
  ]) {
    await page.goto(address)
    await expect(page.getByText(evil).first()).toBeVisible()
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined()
  }
})

test('what people write in a community is text, or a document that runs nothing', async ({
  page,
  person,
  server,
}) => {
  const evil = '"><img src=x onerror="window.hacked=1">'
  const repo = await givenRepo(person, { files: { 'a.txt': 'a' } })
  const num = await givenDiscussion(person, repo, evil, `${corpus.join('\n\n')}\n\n# The end\n`)
  await person.native('POST', `${repo.api}/discussions/${num}/comments`, {
    body: '# The end\n\n[^1]\n\n[^1]: x',
  })
  await person.native('PATCH', `${repo.api}/discussions/${num}`, { title: `${evil}${evil}` })
  const pull = await givenPull(person, repo, evil, { [`${evil.replaceAll('/', '')}.md`]: evil }, evil)
  const isUnharmed = async () => {
    for (const link of await page.getByText('click me').all()) await link.dispatchEvent('click')
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined()
    expect(new URL(page.url()).origin).toBe(server.url)
    await expect(page.locator('#main')).toHaveCount(1)
  }
  for (const below of ['', `/${pull}`, `/${pull}/commits`, `/${pull}/files`]) {
    await page.goto(`${repo.page}/discussions${below}`)
    await expect(page.getByText(evil).first()).toBeVisible()
    await isUnharmed()
  }
  await page.goto(`${repo.page}/discussions/${num}`)
  await expect(page.getByRole('heading', { name: 'The end' })).toHaveCount(2)
  const dangerous = 'script,style,iframe,object,embed,form,link,meta,base,[style*=evil]'
  await expect(page.getByRole('article').locator(dangerous)).toHaveCount(0)
  const ids = await page.locator('[id]').evaluateAll((all) => all.map((one) => one.id))
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  await isUnharmed()
  await page.getByRole('textbox', { name: 'Comment' }).fill(corpus.join('\n\n'))
  await page.getByText('Preview', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('click me')
  await isUnharmed()
})
