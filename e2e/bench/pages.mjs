// What people wait for in a real Chromium that is held to a quarter of its speed and to 1.6 Mb/s: the largest paint of lists
// and of repos, and how soon large pages answer. ARSENAL_BENCH_ROWS makes the table smaller, to see that it works.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { ensureChromium } from '../../api/dev/toolchain/chromium.mjs'
import { startServer } from '../fixtures/server.mjs'
import { beginWatch, eventsOf, measuredOf, scrolled, watchPage } from '../web/measuring.mjs'
import { given } from './datasets.mjs'
import { median, row } from './measure.mjs'
import { hubClient, textFile } from './seed.mjs'

const rounds = Number(process.env['ARSENAL_BENCH_ROUNDS'] ?? 5)
const visitRounds = Number(process.env['ARSENAL_BENCH_ROUNDS'] ?? 9)
const rows = Number(process.env['ARSENAL_BENCH_ROWS'] ?? 1_000_000)
const ms = (value) => `${value.toFixed(0)} ms`

const slowdown = 4
const bytesPerSecond = 1.6e6 / 8
const held = '4 × CPU, 1.6 Mb/s'

/** A page of a browser that knows nothing of the server but its session, slowed down. */
async function slowPage(browser, { url, person }, latency = 0) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1360, height: 850 } })
  const [name, value] = person.cookie().split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  // Of a page that is not seen within this the figure says enough; a busy machine takes a minute for some.
  page.setDefaultTimeout(180_000)
  await watchPage(page)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await devtools.send('Network.enable')
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughput })
  return page
}

/** Opens an address until the page is complete; answers what it measured. */
async function opened(place, address, complete, latency) {
  const page = await slowPage(place.browser, place, latency)
  try {
    await page.goto(address)
    await complete(page)
    await page.waitForLoadState('networkidle')
    return await measuredOf(page)
  } finally {
    await page.context().close()
  }
}

async function paints(place, name, address, complete) {
  const [near, far] = [[], []]
  for (let i = 0; i < rounds; i++) {
    near.push(await opened(place, address, complete))
    far.push(await opened(place, address, complete, 150))
  }
  const paint = (found) => median(found.map(({ paintMs }) => paintMs))
  const shift = Math.max(...near.concat(far).map((found) => found.shift))
  const figure = paint(near)
  return [
    row(
      `largest paint of ${name}, ${held}`,
      ms(figure),
      `with 150 ms of latency ${ms(paint(far))}`,
      figure / 1000,
      '≤ 1.5 s',
      figure <= 1500,
    ),
    row(`layout shift of ${name}`, shift.toFixed(4), '', shift, '≤ 0.02', shift <= 0.02),
  ]
}

/**
 * Does the steps on a page of its own; answers the slowest press, which is the page's INP, and the slowest of all events.
 * Each step is a name and what makes it ready; that answers the step itself. Things are looked for before the step, and
 * waited for by `until`: a search by role reads the whole page where its presses are handled, and in a folder of 1 000
 * files a press behind one was painted a second later.
 */
async function visited(place, address, complete, steps) {
  const page = await slowPage(place.browser, place)
  try {
    await page.goto(address)
    await complete(page)
    await page.waitForLoadState('networkidle')
    const press = { step: 'none of 16 ms', took: 0 }
    const event = { step: '', took: 0 }
    for (const [step, ready] of steps) {
      const act = await ready(page)
      await beginWatch(page)
      await act()
      const { pressMs, slowestMs } = await eventsOf(page)
      if (pressMs > press.took) Object.assign(press, { step, took: pressMs })
      if (slowestMs > event.took) Object.assign(event, { step, took: slowestMs })
    }
    return { press, event }
  } finally {
    await page.context().close()
  }
}

/**
 * The slowest press of each large page, as the median of its visits: one and the same press takes 56 to 128 ms in others.
 * The pages take turns, so that a slow minute of the machine is not the minute of one page.
 */
async function answers(place, pages) {
  const visits = pages.map(() => [])
  for (let i = 0; i < visitRounds; i++) {
    for (const [at, [, address, complete, steps]] of pages.entries()) {
      visits[at].push(await visited(place, address, complete, steps))
    }
  }
  return pages.map(([name, , , steps], at) => answered(name, steps, visits[at]))
}

function answered(name, steps, visits) {
  const figure = median(visits.map(({ press }) => press.took))
  const presses = visits.map(({ press }) => press).toSorted((a, b) => a.took - b.took)
  const all = presses.map(({ took }) => took).join(', ')
  const slowest = `${visits.length} visits of ${steps.length} steps: ${all}, the last by “${presses.at(-1).step}”`
  const hovered = Math.max(...visits.map(({ event }) => event.took))
  return row(
    `slowest press, ${name}, ${held}`,
    ms(figure),
    `${slowest}; hovers and scrolls at most ${ms(hovered)}`,
    figure,
    '≤ 100 ms',
    figure <= 100,
  )
}

const keys = (key) => (page) => () => page.keyboard.press(key)

/** Presses the middle of what `find` finds. */
const press = (find, key) => async (page) => {
  const found = find(page)
  await found.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await found.boundingBox()
  return async () => {
    if (key) await page.keyboard.down(key)
    await page.mouse.click(x + width / 2, y + height / 2)
    if (key) await page.keyboard.up(key)
  }
}

const button = (name, key) => press((page) => page.getByRole('button', { name }), key)

/** Waits until so many elements of a selector have the text, or any text. */
const until = (page, selector, count = 1, text = undefined) =>
  page.waitForFunction(
    ([wanted, least, has]) =>
      [...document.querySelectorAll(wanted)].filter((one) => has === undefined || one.textContent === has)
        .length >= least,
    [selector, count, text],
  )

/** Does so once the list of revisions has the focus, which it fetches first. */
const inRevisions = (act) => async (page) => {
  await until(page, '[aria-label="Filter or name a new branch"]:focus')
  return () => act(page)
}

const wheel = (by) => async (page) => {
  await page.mouse.move(700, 500)
  return async () => {
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, by)
  }
}

/** Finds a file by `t`, whose list is shown while one types. */
const finder = (part, path) => [
  [
    'press t',
    async (page) => {
      await page.getByRole('main').focus()
      return () => page.keyboard.press('t')
    },
  ],
  [
    'type a part of a path',
    async (page) => {
      await until(page, '[aria-label="Part of the path"]:focus')
      return async () => {
        await page.keyboard.type(part)
        await until(page, '[role="dialog"] a[href]', 1, path)
      }
    },
  ],
  ['close the finder', keys('Escape')],
]

const sentence =
  'It was trained on text of many kinds, and then tuned to do what people ask of it in their own words. '
/** Some 40 KB; on the first screen its paragraphs are larger than all else. */
const longCard = `---\nlicense: mit\n---\n# A long card\n\n${Array.from(
  { length: 60 },
  (_, i) => `${i % 5 ? '' : `## Part ${i / 5 + 1}\n\n`}${sentence.repeat(5 + (i % 4))}\n\n`,
).join('')}The end.\n`

const code = Array.from({ length: 20_000 }, (_, i) => `value_${i + 1} = compute("${i}", [${i % 7}, None])`)

/** Repos to list, and one for each large page; as their pages. */
async function seed(server, person) {
  const token = await person.token()
  const hub = hubClient(server.url, token)
  const made = (name) => `${person.username}/${name}`
  for (let i = 0; i < 40; i++) {
    await hub.create(made(`model-${i}`))
    const head = `---\nlicense: mit\nlibrary_name: transformers\npipeline_tag: text-generation\n---\n`
    const body = `# Model ${i}\n\nWhat it is for.\n\n${'A paragraph of the card.\n\n'.repeat(20)}| a | b |\n|---|---|\n| 1 | 2 |\n`
    await hub.commit(made(`model-${i}`), 'all', [textFile('README.md', head + body)])
  }
  await hub.create(made('long-card'))
  await hub.commit(made('long-card'), 'all', [textFile('README.md', longCard)])
  await hub.create(made('large'))
  await hub.commit(made('large'), 'code', [textFile('long.py', `${code.join('\n')}\n`)])
  const files = Array.from({ length: 1000 }, (_, i) => textFile(`data/file-${i}.txt`, `${i}\n`))
  await hub.commit(made('large'), 'a folder', files)
  const changed = (word) =>
    Array.from({ length: 300 }, (_, i) =>
      textFile(`src/module-${i}.py`, Array.from({ length: 12 }, (_, k) => `${word} = ${k}\n`).join('')),
    )
  await hub.commit(made('large'), 'before', changed('before'))
  const { commitOid } = await hub.commit(made('large'), 'after', changed('after'))
  return {
    token,
    repo: made('model-7'),
    longCard: made('long-card'),
    large: made('large'),
    commit: commitOid,
  }
}

const line = (number, key) => press((page) => page.locator(`[data-line="${number}"]`), key)
const fileSteps = [
  ['press a line number', line(12)],
  ['select to another line', line(20, 'Shift')],
  ['scroll', wheel(2000)],
  ['press End', keys('End')],
  ['press PageUp', keys('PageUp')],
  ['open the revisions', button('Revision main')],
  ['close them', inRevisions((page) => page.keyboard.press('Escape'))],
]

const text = (words) => press((page) => page.getByText(words))
const diffSteps = [
  ['collapse a file', button('Diff of src/module-0.py')],
  ['show it again', button('Diff of src/module-0.py')],
  ['scroll', wheel(1000)],
  ['side by side', text('Side by side')],
  ['unified', text('Unified')],
  ['collapse all', button('Collapse all')],
  ['expand all', button('Expand all')],
]

const folderSteps = [
  ...[401, 601, 801, 1001].map((count) => [
    `show ${count - 1} entries`,
    async (page) => {
      const act = await button('Show more')(page)
      return async () => {
        await act()
        await until(page, '[aria-label="Files"] [role="row"]', count)
      }
    },
  ]),
  ['select an entry', press((page) => page.getByLabel('Select file-0.txt'))],
  ['open the revisions', button('Revision main')],
  ['filter them', inRevisions((page) => page.keyboard.type('mai'))],
  ['close them', keys('Escape')],
  ...finder('file-999', 'data/file-999.txt'),
]

const grid = (page) => page.getByRole('grid', { name: 'Rows of default / train' })
const cell = (page, value) => grid(page).getByRole('gridcell', { name: String(value), exact: true })
const lastCell = press((page) => cell(page, rows - 1).first())
const tableSteps = [
  ['scroll', (page) => () => scrolled(grid(page))],
  [
    'go to the last row',
    async (page) => {
      await page.getByRole('textbox', { name: 'Row to go to' }).focus()
      return async () => {
        await page.keyboard.type(String(rows - 1))
        await page.keyboard.press('Enter')
        await until(page, '[role="gridcell"]', 1, String(rows - 1))
      }
    },
  ],
  ['press a cell', lastCell],
  ['show the row before', keys('k')],
  ['close the row', keys('Escape')],
  ...['ArrowUp', 'ArrowUp', 'PageUp', 'Home'].map((key) => [`press ${key}`, keys(key)]),
  ['open the row by Enter', keys('Enter')],
]

/** A table of two columns with so many rows. */
async function givenTable(place, folder) {
  const file = join(folder, 'table.csv')
  const lines = Array.from({ length: rows }, (_, i) => `${i},${i % 10}\n`)
  await writeFile(file, `id,digit\n${lines.join('')}`)
  const { repo } = await given(place, 'table', 'data.csv', file)
  const at = `${place.server.url}/viewer-api/statistics?dataset=${repo}&config=default&split=train`
  while (!(await fetch(at)).ok) await new Promise((resolve) => setTimeout(resolve, 200))
  return repo
}

const shown = (text) => (page) => page.getByText(text).first().waitFor()

/** The large pages that are made of files: name, address, what shows that the page is complete, steps. */
const largeFiles = ({ large, commit }) => [
  ['a file of 20 000 lines', `/${large}/blob/main/long.py`, shown('value_1'), fileSteps],
  ['a diff of 300 files', `/${large}/commit/${commit}`, shown('Collapse all'), diffSteps],
  ['a folder of 1 000 files', `/${large}/tree/main/data`, shown('Show more'), folderSteps],
]

/** The table, as the large pages above. */
const largeTable = (repo) => [
  `a table of ${rows === 1_000_000 ? 'a million' : rows} rows`,
  `/datasets/${repo}/viewer/default/train`,
  (page) => cell(page, 9).first().waitFor(),
  tableSteps,
]

async function* measured(place, folder) {
  const { person, server } = place
  const { token, repo, longCard, ...made } = await seed(server, person)
  const first = (page) =>
    page
      .getByRole('main')
      .getByRole('link', { name: /\/large$/ })
      .first()
      .waitFor()
  yield* await paints(place, '/models', '/models', first)
  const card = (page) => page.getByRole('cell', { name: '2' }).waitFor()
  yield* await paints(place, 'a repo page', `/${repo}`, card)
  const end = (page) => page.getByText('The end.').waitFor()
  yield* await paints(place, 'a repo with a long card', `/${longCard}`, end)
  const table = await givenTable({ ...place, token }, folder)
  yield* await answers(place, [...largeFiles(made), largeTable(table)])
}

/** Rows for the table. */
export async function* pageRows(dir) {
  const folder = join(dir, 'pages')
  await mkdir(folder)
  const server = await startServer({ 'telemetry.log_level': 'warn' })
  const browser = await chromium.launch({
    executablePath: process.env['ARSENAL_CHROMIUM'] ?? (await ensureChromium()),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const person = await server.newPerson('bench')
    yield* measured({ browser, server, url: server.url, person }, folder)
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
