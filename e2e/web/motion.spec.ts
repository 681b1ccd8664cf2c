import { givenCollection } from './collections.ts'
import { givenPull } from './community.ts'
import { expect, givenRepo, test, type GivenRepo, type Page, type Person } from './fixtures.ts'

/**
 * Keeps the texts of what moves, from frame to frame. Everything moves at a tenth of its speed: a busy browser may paint nothing in
 * the 160 ms that a movement takes.
 */
async function watchMotion(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.1 })
  await page.addInitScript(() => {
    const moved = new Set<string>()
    Object.assign(globalThis, { moved })
    const look = () => {
      for (const { effect } of document.getAnimations()) {
        const target = effect instanceof KeyframeEffect ? effect.target : null
        if (target?.matches('li, li *, [role=treeitem], section *')) moved.add(target.textContent ?? '')
      }
      // Chromium does not list what moves in a fold.
      for (const fold of document.querySelectorAll('details'))
        if (!['0', '1'].includes(getComputedStyle(fold, '::details-content').opacity))
          moved.add(fold.textContent ?? '')
      requestAnimationFrame(look)
    }
    look()
  })
}

/** Whether something with this text has moved since the page was loaded. */
const hasMoved = (page: Page, text: string) =>
  page.evaluate(
    (wanted) =>
      [...(globalThis as unknown as { moved: Set<string> }).moved].some((one) => one.includes(wanted)),
    text,
  )

const files = { 'README.md': '---\nlicense: mit\n---\n# Card\n', 'src/deep.py': 'x = 1\n' }

interface Place {
  page: Page
  person: Person
  repo: GivenRepo
  /** Whether what was pressed has moved; called for each place. */
  expectMotion: (text: string) => Promise<void>
}

/** Rows change places, and one is removed. */
async function reorder({ page, person, repo, expectMotion }: Place) {
  const other = await givenRepo(person)
  const refs = [repo, other].map(({ ns, name }) => ({ type: 'model' as const, ns, name }))
  const collection = await givenCollection(person, refs)
  await page.goto(collection.page)
  const rows = page.getByRole('list', { name: 'Items of this collection' }).getByRole('listitem')
  await page.getByRole('button', { name: `Move ${person.username}/${repo.name} down` }).click()
  await expect(rows).toContainText([other.name, repo.name])
  await expectMotion(repo.name)
  await page.reload()
  await page.getByRole('button', { name: `Remove ${person.username}/${other.name}` }).click()
  await expect(rows).toContainText([repo.name])
  await expectMotion(repo.name)
}

/** A fold of a card, a folder beside a file, a file of a diff and a resolved thread open. */
async function unfold({ page, person, repo, expectMotion }: Place) {
  await page.goto(repo.page)
  await page.getByText('Metadata', { exact: true }).click()
  await expect(page.getByText('license: mit')).toBeVisible()
  await expectMotion('license: mit')

  await page.goto(`${repo.page}/blob/main/README.md`)
  await page.getByRole('button', { name: 'Files of this revision' }).click()
  await page.getByRole('treeitem', { name: 'src', exact: true }).click()
  await expect(page.getByRole('treeitem', { name: 'deep.py' })).toBeVisible()
  await expectMotion('deep.py')

  const num = await givenPull(person, repo, 'Change it', { 'src/deep.py': 'x = 42\n' })
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const region = page.getByRole('region', { name: 'src/deep.py' })
  await expect(region.getByText('x = 42')).toBeVisible()
  const fold = page.getByRole('button', { name: 'Diff of src/deep.py' })
  await fold.click()
  await expect(region.getByText('x = 42')).toHaveCount(0)
  await fold.click()
  await expect(region.getByText('x = 42')).toBeVisible()
  await expectMotion('x = 42')

  const thread = `${repo.api}/discussions/${num}`
  const { pull_request } = await person.native<{ pull_request: { head_commit: string } }>('GET', thread)
  const spot = { path: 'src/deep.py', side: 'new', line: 1, commit: pull_request.head_commit }
  const { id } = await person.native<{ id: string }>('POST', `${thread}/comments`, {
    body: 'Why so many?',
    place: spot,
  })
  await person.native('PUT', `${thread}/comments/${id}/resolution`)
  for (const part of ['', '/files']) {
    await page.goto(`${repo.page}/discussions/${num}${part}`)
    await page.getByRole('button', { name: 'Show resolved' }).click()
    await expect(page.getByText('Why so many?')).toBeVisible()
    await expectMotion('Why so many?')
  }
}

/** Does all of it with this wish. */
async function moveAll(page: Page, person: Person, reducedMotion: 'no-preference' | 'reduce') {
  await page.setViewportSize({ width: 1360, height: 850 })
  await page.emulateMedia({ reducedMotion })
  await watchMotion(page)
  const repo = await givenRepo(person, { files })
  const expectMotion = async (text: string) => {
    if (reducedMotion === 'reduce') expect(await hasMoved(page, text)).toBe(false)
    else await expect.poll(() => hasMoved(page, text)).toBe(true)
  }
  const place = { page, person, repo, expectMotion }
  await reorder(place)
  await unfold(place)
}

test('rows that change places slide there, and what a press opens comes from it', async ({ page, person }) =>
  moveAll(page, person, 'no-preference'))

test('nothing moves for those who ask for less motion', async ({ page, person }) =>
  moveAll(page, person, 'reduce'))
