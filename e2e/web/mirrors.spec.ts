import { hubClient, textFile } from '../bench/seed.mjs'
import { startServer } from '../fixtures/server.mjs'
import { startBetween } from '../mirrors/between.mjs'
import { ended, givenLarge, givenModel, givenOwner } from '../mirrors/upstream.mjs'
import { expect as quickly, fresh, test as base, type Caller, type Page } from './fixtures.ts'
import { expectNoFault, lookAt } from './look.ts'

/** Jobs and pages take their time on a busy machine. */
const expect = quickly.configure({ timeout: 60_000 })
base.setTimeout(300_000)

interface Near {
  upstream: Awaited<ReturnType<typeof startServer>>
  owner: Awaited<ReturnType<typeof givenOwner>>
  /** Of the upstream, at the server under test. */
  id: string
}

/** Beside the server another hub with an owner of repos, which an admin has added as "Near hub". */
const test = base.extend<{ near: Near }>({
  near: async ({ admin }, use) => {
    const upstream = await startServer()
    const id = fresh('near')
    await admin.native('POST', '/admin/upstreams', { id, name: 'Near hub', base_url: upstream.url })
    await use({ upstream, owner: await givenOwner(upstream), id })
    await upstream.stop()
  },
})

test('a repo of another hub is pulled in part, a file of it later, and the mirror is detached', async ({
  page,
  person,
  near: { upstream, owner, id },
}) => {
  const { repo } = await givenModel(owner, 'tiny', { 'a.bin': 5000, 'b.bin': 70_000 })

  // Without it the page asks the public hub, which tests do not reach.
  await page.goto(`/discover?upstream=${id}`)
  await expect(page.getByLabel('Hub')).toHaveValue(id)
  await expect(page.getByRole('link', { name: repo, exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Search' }).fill(`${upstream.url}/${repo}`)
  await page.getByRole('link', { name: `Open ${repo} at Near hub` }).click()
  await expect(page.getByRole('heading', { name: repo })).toBeVisible()
  const box = page.getByRole('region', { name: 'Pull' })
  await expect(box).toContainText(/2 of 2 large files, 75.0 .B to fetch/)
  await page.getByRole('checkbox', { name: 'b.bin' }).uncheck()
  await expect(box).toContainText(/1 of 2 large files, 5.00 .B to fetch/)
  await box.getByRole('button', { name: 'Pull' }).click()
  await expect(page.getByText('succeeded', { exact: true })).toBeVisible()
  await expect(page.getByText('a.bin', { exact: true })).toBeVisible()
  await expect(page.getByText('b.bin')).toBeHidden()

  await page.getByRole('link', { name: repo }).click()
  await expect(page.getByText('mirror', { exact: true })).toBeVisible()
  await page.goto(`/${repo}/tree/main`)
  const absent = 'This server holds a part of this mirror. The file has not been pulled.'
  const rowOf = (name: RegExp) => page.getByRole('row', { name })
  await expect(rowOf(/b\.bin/)).toContainText('missing')
  await expect(rowOf(/b\.bin/).getByRole('img', { name: absent })).toBeVisible()
  await expect(rowOf(/a\.bin/)).not.toContainText('missing')
  await expect(rowOf(/a\.bin/).getByRole('img', { name: absent })).toHaveCount(0)
  await page.getByRole('link', { name: 'b.bin' }).click()
  await page.getByRole('button', { name: 'Pull this file' }).click()
  await expect(page.getByText('succeeded', { exact: true })).toBeVisible()
  await page.goto(`/${repo}/blob/main/b.bin`)
  await expect(page.getByText('Large file')).toBeVisible()
  await expect(page.getByText('Not on this server')).toBeHidden()
  await expectProvenance(page, person, { upstream: id, repo, path: 'b.bin' })
  await page.goto(`/${repo}/blob/main/README.md`)
  await expect(page.getByRole('article')).toBeVisible()
  await expectProvenance(page, person, { upstream: id, repo, path: 'README.md', verified: 'git' })
  const [ns = ''] = repo.split('/')
  await page.goto(`/${ns}`)
  await expect(page.getByText(`Mirrors of ${id}`)).toBeVisible()
  await expect(page.getByText('Organisation', { exact: true })).toHaveCount(0)
  const tree = await person.native<{ entries: { name: string; presence: string }[] }>(
    'GET',
    `/repos/models/${repo}/tree/main`,
  )
  expect(tree.entries.every(({ presence }) => presence === 'present')).toBe(true)
})

test('admins of a mirror set how it follows, sync it and detach it', async ({
  page,
  person,
  near: { owner, id },
}) => {
  const { repo } = await givenModel(owner, 'own', { 'a.bin': 5000 })
  const wish = { upstream: id, type: 'model', repo, target_ns: person.username }
  const job = await person.native<{ id: string }>('POST', '/pulls', wish)
  await page.goto(`/jobs/${job.id}`)
  await expect(page.getByText('succeeded', { exact: true })).toBeVisible()

  const own = `${person.username}/${repo.split('/')[1]}`
  await page.goto(`/${own}/settings`)
  const panel = page.getByRole('region', { name: 'Mirror' })
  await expect(panel).toContainText('up to date')
  await panel.getByLabel('Schedule').fill('30 2 * * *')
  await panel.getByRole('button', { name: 'Save' }).click()
  const mirror = () => person.native<Record<string, unknown>>('GET', `/repos/models/${own}/mirror`)
  await expect.poll(async () => (await mirror())['schedule']).toBe('30 2 * * *')
  await panel.getByLabel('Tracking').selectOption('manual')
  await expect(panel).toContainText('when asked')
  const before = (await mirror())['last_sync_at']
  await panel.getByRole('button', { name: 'Sync now' }).click()
  await expect.poll(async () => (await mirror())['last_sync_at']).not.toBe(before)
  await expect(panel).toContainText('up to date')
  await panel.getByRole('button', { name: 'Detach' }).click()
  await panel.getByRole('button', { name: 'Yes, detach it' }).click()
  await expect(panel).toBeHidden()
  await person.native('POST', `/repos/models/${own}/commits`, {
    title: 'Own change',
    operations: [{ op: 'add', path: 'own.txt', text: 'mine' }],
  })
  await page.goto(`/${own}/blob/main/a.bin`)
  await expect(page.getByRole('region', { name: 'Provenance' })).toContainText(repo)
})

test('a token of another hub is saved for what it shows to one person, and deleted', async ({
  page,
  person,
  near: { owner, id },
}) => {
  const { repo } = await givenModel(owner, 'hidden', { 'a.bin': 5000 })
  await owner.native('PATCH', `/repos/models/${repo}`, { visibility: 'private' })
  await page.goto(`/discover?upstream=${id}&q=hidden`)
  const found = page.getByRole('link', { name: repo, exact: true })
  await expect(page.getByText('The hub lists nothing that matches')).toBeVisible()
  await expect(found).toHaveCount(0)

  await page.getByRole('button', { name: 'Your token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your token of Near hub' })
  await dialog.getByLabel('Access token').fill('hf_asl_nonsense')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Access token')).toHaveAccessibleDescription(/Near hub does not accept it/)
  await dialog.getByLabel('Access token').fill(owner.secret)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(found).toBeVisible()
  const saved = await person.native('GET', `/me/upstream-tokens/${id}`)
  expect(saved).toMatchObject({ saved: true, valid: true })
  expect(JSON.stringify(saved)).not.toContain(owner.secret)

  await page.goto('/settings')
  await page.getByRole('link', { name: 'Upstream tokens' }).click()
  const row = page.getByRole('row').filter({ hasText: 'accepted by the hub' })
  await expect(row).toContainText('Near hub')
  await expectNoFault(page)
  await row.getByRole('button', { name: 'Change your token of Near hub' }).click()
  await expect(dialog).toContainText('accepted by the hub')
  await dialog.getByRole('button', { name: 'Delete the saved one' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: 'accepted by the hub' })).toHaveCount(0)
  await page.goto(`/discover?upstream=${id}&q=hidden`)
  await expect(page.getByText('The hub lists nothing that matches')).toBeVisible()
  await expect(found).toHaveCount(0)
})

interface Origin {
  upstream: string
  repo: string
  commit: string
  sha256: string
  size: number
  job: string
  username: string
  verified: string
}

const ways = {
  sha256: 'its SHA-256 is the one that the commit names',
  git: 'its git id is the one that the commit names',
}

/** The page of a pulled file says where it came from, as the API does. */
async function expectProvenance(
  page: Page,
  person: Caller,
  {
    upstream,
    repo,
    path,
    verified = 'sha256',
  }: Pick<Origin, 'upstream' | 'repo'> & {
    path: string
    verified?: keyof typeof ways
  },
) {
  const origins = `/repos/models/${repo}/provenance?rev=main&path=${path}`
  const { items } = await person.native<{ items: Origin[] }>('GET', origins)
  const [origin] = items
  if (!origin) throw new Error(`nothing says where ${path} came from`)
  expect(origin).toMatchObject({ upstream, repo, username: person.username, verified })
  const region = page.getByRole('region', { name: 'Provenance' })
  const fact = (what: string) =>
    region
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: what, exact: true }) })
      .getByRole('cell')
  await expect(fact('Upstream')).toHaveText(upstream)
  await expect(fact('Repo')).toHaveText(repo)
  await expect(fact('Commit').getByTitle(origin.commit)).toBeVisible()
  await expect(fact('Path')).toHaveText(path)
  await expect(fact('SHA-256').getByTitle(origin.sha256)).toBeVisible()
  await expect(fact('Size').getByTitle(`${origin.size.toLocaleString('en')} bytes`)).toBeVisible()
  await expect(fact('By').getByRole('link')).toHaveText(person.username)
  await expect(fact('Job').getByRole('link')).toHaveAttribute('href', `/jobs/${origin.job}`)
  await expect(fact('Verified')).toContainText(ways[verified])
}

const MiB = 2 ** 20

test('the first page of a mirror says how far it is, what was synced and what its upstream has rewritten', async ({
  page,
  person,
  near: { upstream, owner, id },
}) => {
  const { repo } = await givenModel(owner, 'followed', { 'a.bin': 5000 })
  const change = (name: string) => owner.hub.commit(repo, name, [textFile(`${name}.txt`, name)])
  await change('before')
  const wish = { upstream: id, type: 'model', repo, target_ns: person.username, tracking: 'pinned' }
  const { id: first } = await person.native<{ id: string }>('POST', '/pulls', wish)
  expect((await ended(person, first)).status).toBe('succeeded')
  const own = `${person.username}/${repo.split('/')[1]}`
  const native = `/repos/models/${own}/mirror`
  const { local_commit: pulled = '' } = await person.native<{ local_commit: string }>('GET', native)
  const sync = async () => {
    const { id: job } = await person.native<{ id: string }>('POST', `${native}/sync`)
    expect((await ended(person, job)).status).toBe('succeeded')
  }
  await page.goto(`/${own}`)
  const strip = page.getByRole('region', { name: 'Mirror' })
  await expect(strip).toContainText(`Mirror of ${repo} at ${id}, at commit ${pulled.slice(0, 12)}, synced`)
  for (const name of ['one', 'two']) await change(name)
  await sync()
  await page.reload()
  await expect(strip).toContainText(`${pulled.slice(0, 12)}, 2 commits behind the upstream`)

  await page.goto(`/${own}/commits/main`)
  await expect(page.getByRole('listitem').filter({ hasText: 'before' })).toContainText(
    'Earlier history is at the upstream.',
  )
  await person.native('PATCH', native, { tracking: 'follow' })
  await sync()
  const squashed = await fetch(`${upstream.url}/api/models/${repo}/super-squash/main`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${owner.secret}`, 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(squashed.status).toBe(200)
  await sync()
  await page.goto(`/${own}`)
  await expect(strip).not.toContainText('behind')
  await strip.getByRole('button', { name: 'Details and syncs' }).click()
  const earlier = strip.getByRole('row', { name: 'Earlier' })
  await expect(earlier).toContainText('the upstream has rewritten its history since')
  await expect(earlier.getByRole('link', { name: pulled.slice(0, 12) })).toBeVisible()
  await lookAt(page, { strip: `/${own}` })
  await page.goto(`/${own}/commit/${pulled}`)
  await expect(page.getByText('before').first()).toBeVisible()
})

test('a quant of a model is pulled alone', async ({ page, person, near: { owner, id } }) => {
  const { repo } = await givenModel(owner, 'quants', { 'm-Q4_K_M.gguf': 5000, 'm-Q8_0.gguf': 70_000 })
  await page.goto(`/discover/models/${repo}?upstream=${id}`)
  const box = page.getByRole('region', { name: 'Pull' })
  await expect(box).toContainText('2 of 2 large files')
  await page.getByRole('region', { name: 'Quants' }).getByRole('checkbox', { name: 'Q8_0' }).uncheck()
  await expect(box).toContainText('1 of 2 large files')
  await box.getByRole('button', { name: 'Pull' }).click()
  await expect(page.getByText('succeeded', { exact: true })).toBeVisible()
  const { entries } = await person.native<{ entries: { name: string; presence: string }[] }>(
    'GET',
    `/repos/models/${repo}/tree/main`,
  )
  const presence = new Map(entries.map((entry) => [entry.name, entry.presence]))
  expect([presence.get('m-Q4_K_M.gguf'), presence.get('m-Q8_0.gguf')]).toEqual(['present', 'missing'])
})

test('the parts of a dataset are ticked by config', async ({ page, person, admin }) => {
  const upstream = await startServer()
  try {
    const { id, repo } = await givenDataset(upstream, admin, upstream.url)
    await page.goto(`/discover/datasets/${repo}?upstream=${id}`)
    const box = page.getByRole('region', { name: 'Pull' })
    await expect(box).toContainText('3 of 3 large files')
    await page.getByRole('checkbox', { name: 'fr', exact: true }).uncheck()
    await expect(box).toContainText('2 of 3 large files')
    await expect(page.getByRole('checkbox', { name: 'fr/train.jsonl' })).not.toBeChecked()
    await box.getByLabel('Place').selectOption(person.username)
    await box.getByRole('button', { name: 'Pull' }).click()
    await expect(page.getByText('succeeded', { exact: true })).toBeVisible()
    await page.goto(`/datasets/${person.username}/${repo.split('/')[1]}/settings`)
    await expect(page.getByRole('region', { name: 'Mirror' })).toContainText('config en')
  } finally {
    await upstream.stop()
  }
})

test('the pages of mirrors hold in both themes and on a narrow screen', async ({ page, person, admin }) => {
  const upstream = await startServer()
  const between = await startBetween(upstream.url)
  try {
    const owner = await givenOwner(upstream)
    const dataset = await givenDataset(upstream, admin, between.url)
    const { id } = dataset
    const sizes = {
      'llama-tiny-instruct-Q4_K_M.gguf': 20 * MiB,
      'llama-tiny-instruct-Q8_0-00001-of-00002.gguf': 20 * MiB,
      'llama-tiny-instruct-Q8_0-00002-of-00002.gguf': 12 * MiB,
    }
    const { repo } = await givenModel(owner, 'llama-tiny-instruct-GGUF', sizes)
    const card = `---\nlicense: apache-2.0\nbase_model: ${repo}\npipeline_tag: text-generation\n---\n# Tiny\n\nA small model.\n`
    await owner.hub.commit(repo, 'card', [textFile('README.md', card)])
    const own = `${person.username}/${repo.split('/')[1]}`
    const wish = { upstream: id, type: 'model', repo, target_ns: person.username }
    const part = { ...wish, selection: { include: ['*Q8_0-00002*'] } }
    const first = await person.native<{ id: string }>('POST', '/pulls', part)
    expect((await ended(person, first.id)).status).toBe('succeeded')
    await lookAt(page, {
      list: `/discover?upstream=${id}`,
      model: `/discover/models/${repo}?upstream=${id}`,
      dataset: `/discover/datasets/${dataset.repo}?upstream=${id}`,
      settings: `/${own}/settings`,
      tree: `/${own}/tree/main`,
      file: `/${own}/blob/main/llama-tiny-instruct-Q8_0-00002-of-00002.gguf`,
    })
    between.slowTo = MiB / 4
    const running = await person.native<{ id: string }>('POST', '/pulls', {
      ...wish,
      selection: { all: true },
    })
    await page.goto(`/jobs/${running.id}`)
    await expect(page.getByText('transferring').first()).toBeVisible()
    await expect(page.getByText(/\d .?i?B\/s · .+ left$/)).toBeVisible()
    await lookAt(page, { job: `/jobs/${running.id}` })
    await person.native('POST', `/jobs/${running.id}/cancel`)
    expect((await ended(person, running.id)).status).toBe('cancelled')
  } finally {
    between.stop()
    await upstream.stop()
  }
})

/** A dataset of two configs at an upstream, which the server has at `url`. */
async function givenDataset(
  upstream: Awaited<ReturnType<typeof startServer>>,
  admin: { native: (method: string, path: string, body?: unknown) => Promise<unknown> },
  url: string,
): Promise<{ id: string; repo: string }> {
  const owner = await givenOwner(upstream)
  const hub = hubClient(upstream.url, owner.secret, 'dataset')
  const repo = `${owner.username}/sentences`
  await hub.create(repo)
  const card = `---\nconfigs:\n- config_name: en\n  data_files:\n  - {split: train, path: en/train.jsonl}\n  - {split: test, path: en/test.jsonl}\n- config_name: fr\n  data_files: fr/*.jsonl\n---\n# Sentences\n`
  const files = ['en/train.jsonl', 'en/test.jsonl', 'fr/train.jsonl']
  const lines = await Promise.all(
    files.map((path) => givenLarge({ hub }, repo, path, Buffer.from(`{"text":"${path}"}\n`.repeat(100)))),
  )
  await hub.commit(repo, 'first', [textFile('README.md', card), ...lines])
  const id = fresh('near')
  await admin.native('POST', '/admin/upstreams', { id, name: 'Near hub', base_url: url })
  return { id, repo }
}
