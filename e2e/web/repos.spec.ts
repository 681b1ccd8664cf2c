import { optimizedParquet, plainParquet } from '../../api/core/parsers/testing/parquet.ts'
import { commitTexts } from './community.ts'
import { expect, fresh, givenRepo, signIn, test } from './fixtures.ts'
import { commitBytes } from './tensors.ts'

test('a person creates a repo and is led to it', async ({ page, person }) => {
  const name = fresh('tiny')
  await page.goto('/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('settings')
  await expect(page.getByText('this word is reserved')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await expect(page.getByText('this name is free')).toBeVisible()
  await page.getByLabel('Description').fill('For trying things out')
  await page.getByRole('combobox', { name: 'Licence' }).fill('apache-2.0')
  await page.keyboard.press('Escape')
  await page.getByText('Public', { exact: true }).click()
  await page.getByRole('button', { name: 'Create model' }).click()
  await expect(page).toHaveURL(`/${person.username}/${name}`)
  const repo = await person.native('GET', `/repos/models/${person.username}/${name}`)
  expect(repo).toMatchObject({
    visibility: 'public',
    description: 'For trying things out',
    licence: 'apache-2.0',
  })
})

test('a name that is taken is said so before anything is sent', async ({ page, person }) => {
  const { name } = await givenRepo(person, { visibility: 'private' })
  await page.goto('/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await expect(page.getByText(/^taken/)).toBeVisible()
  await page.getByRole('button', { name: 'Create model' }).click()
  await expect(
    page.getByText('already in use').or(page.getByText('The name is in use')).first(),
  ).toBeVisible()
})

test('lists are searched and sorted, and the address keeps it', async ({ page, person }) => {
  const first = await givenRepo(person)
  const second = await givenRepo(person)
  await page.goto('/models')
  await page.getByRole('searchbox', { name: 'Filter models' }).fill(first.name)
  await expect(page.getByRole('link', { name: `${person.username}/${first.name}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `${person.username}/${second.name}` })).toHaveCount(0)
  await page.getByLabel('Sort by').selectOption('name')
  await expect(page).toHaveURL(`/models?q=${first.name}&sort=name`)
  await page.reload()
  await expect(page.getByRole('link', { name: `${person.username}/${first.name}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `${person.username}/${second.name}` })).toHaveCount(0)
})

test('long lists are read page by page', async ({ page, person }) => {
  for (let i = 0; i < 51; i++)
    await person.native('POST', '/repos', {
      type: 'dataset',
      ns: person.username,
      name: `many-${String(i).padStart(2, '0')}`,
      visibility: 'public',
      init_readme: false,
    })
  await page.goto('/datasets?q=many-&sort=name')
  await expect(page.getByRole('listitem')).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(51)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('the facets of the cards narrow the list', async ({ page, person }) => {
  const word = fresh('lib').replace('-', '')
  const repo = await givenRepo(person, { files: { 'README.md': `---\nlibrary_name: ${word}\n---\n# A` } })
  await givenRepo(person)
  await page.goto('/models')
  await page.getByRole('button', { name: new RegExp(word) }).click()
  await expect(page).toHaveURL(`/models?library=${word}`)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('link', { name: `${person.username}/${repo.name}` })).toBeVisible()
})

test('what files say narrows a list, and a card shows what a model is made from', async ({
  page,
  person,
}) => {
  const word = fresh('files').replace('-', '')
  const card = (more: string) => `---\ntags: [${word}]\n${more}---\n# A`
  const config = JSON.stringify({ architectures: ['LlamaForCausalLM'], model_type: 'llama' })
  const base = await givenRepo(person, {
    files: { 'README.md': card(''), 'config.json': config, LICENSE: 'MIT License\n' },
  })
  const id = `${person.username}/${base.name}`
  const tuned = await givenRepo(person, {
    files: { 'README.md': card(`base_model: ${id}\ndatasets: squad\n`), 'model-Q4_K_M.gguf': 'GGUF' },
  })
  for (const { api } of [base, tuned])
    await expect.poll(() => person.native('GET', api)).toMatchObject({ index_status: 'ready' })
  await page.goto(`/models?tag=${word}`)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await page.getByRole('region', { name: 'Format' }).getByRole('button', { name: /gguf/ }).click()
  await expect(page).toHaveURL(`/models?tag=${word}&format=gguf`)
  await expect(rows).toHaveCount(1)
  await page.getByLabel('Parameters, at least').selectOption('1B')
  await page.getByLabel('Parameters, at most').selectOption('10B')
  await expect(page).toHaveURL(/params_min=1000000000&params_max=10000000000/)
  await expect(page.getByText('No models match')).toBeVisible()
  await page.goto(`/models?tag=${word}`)
  const size = page.getByRole('region', { name: 'Size', exact: true })
  await size.getByRole('button', { name: '≤ 5 GB' }).click()
  await expect(page.getByLabel('Size, at most')).toHaveValue('5000000000')
  await expect(rows).toHaveCount(2)
  await page.goto(tuned.page)
  const tree = page.getByRole('region', { name: 'Model tree' })
  await expect(tree.getByText('squad')).toBeVisible()
  await tree.getByRole('link', { name: id }).click()
  await expect(page).toHaveURL(base.page)
  await page.goto(`${tuned.page}/insights`)
  await expect(page.getByRole('region', { name: 'Needs' })).toContainText('squad')
  await expect(page.getByRole('region', { name: 'Needed by' })).toContainText('No repo on this server')
  await page.getByRole('region', { name: 'Needs' }).getByRole('link', { name: id }).click()
  await expect(page.getByRole('heading', { name: id })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Repo', exact: true })
    .getByRole('link', { name: 'Insights' })
    .click()
  const users = page.getByRole('region', { name: 'Needed by' })
  await expect(users.getByRole('link', { name: `${person.username}/${tuned.name}` })).toBeVisible()
  await expect(users).toContainText('Quantization')
  await expect(page.getByRole('table', { name: 'size by day' })).toContainText(/\d bytes|\d kB/)
  await page.goto(base.page)
  await expect(page.getByRole('region', { name: 'Model tree' })).toContainText('Quantizations')
  await page.getByRole('region', { name: 'Model tree' }).getByRole('link', { name: '1' }).click()
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('link', { name: `${person.username}/${tuned.name}` })).toBeVisible()
})

test('datasets are narrowed to Parquet whose pages follow the content, and their rows say so', async ({
  page,
  person,
}) => {
  const word = fresh('pages').replace('-', '')
  const files = { 'README.md': `---\ntags: [${word}]\n---\n# A` }
  const optimized = await givenRepo(person, { type: 'dataset', files })
  const plain = await givenRepo(person, { type: 'dataset', files })
  await commitBytes(person, optimized, { 'data/train.parquet': optimizedParquet })
  await commitBytes(person, plain, { 'data/train.parquet': plainParquet })
  for (const [{ api }, formats] of [
    [optimized, ['optimized-parquet', 'parquet']],
    [plain, ['parquet']],
  ] as const)
    await expect.poll(() => person.native('GET', api)).toMatchObject({ index_status: 'ready', formats })
  await page.goto(`/datasets?tag=${word}`)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const formats = page.getByRole('region', { name: 'Format' })
  await expect(formats.getByRole('button', { name: /^parquet/ })).toContainText('2')
  await formats.getByRole('button', { name: /optimized-parquet/ }).click()
  await expect(page).toHaveURL(`/datasets?tag=${word}&format=optimized-parquet`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(optimized.name)
  await expect(rows.getByText('optimized-parquet', { exact: true })).toBeVisible()
  await page.goto(`/datasets?q=${plain.name}`)
  await expect(rows.getByText('parquet', { exact: true })).toBeVisible()
  await expect(rows.getByText('optimized-parquet')).toHaveCount(0)
})

test('a like is counted and taken back', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await page.goto(repo.page)
  await page.getByRole('button', { name: 'Like, 0 so far' }).click()
  await expect(page.getByRole('button', { name: 'Like, 1 so far' })).toHaveAttribute('aria-pressed', 'true')
  expect(await person.native('GET', repo.api)).toMatchObject({ likes: 1, liked: true })
  await page.getByRole('button', { name: 'Like, 1 so far' }).click()
  await expect(page.getByRole('button', { name: 'Like, 0 so far' })).toBeVisible()
})

test('models and datasets are found in their lists by a filter, liked there, and their names copied', async ({
  page,
  newcomer,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const type of ['model', 'dataset'] as const) {
    const under = (licence: string) =>
      givenRepo(newcomer, { type, files: { 'README.md': `---\nlicense: ${licence}\n---\n# A` } })
    const repo = await under('mit')
    await under('apache-2.0')
    await page.goto(`/${type}s?ns=${newcomer.username}`)
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await page.getByRole('region', { name: 'Licence' }).getByRole('button', { name: /^mit/ }).click()
    await expect(page).toHaveURL(`/${type}s?ns=${newcomer.username}&licence=mit`)
    await expect(rows).toHaveCount(1)
    const full = `${newcomer.username}/${repo.name}`
    await rows.getByRole('button', { name: `Copy ${full}` }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(full)
    await rows.getByRole('button', { name: `Like ${full}, 0 so far` }).click()
    const liked = rows.getByRole('button', { name: `Like ${full}, 1 so far` })
    await expect(liked).toHaveAttribute('aria-pressed', 'true')
    expect(await newcomer.native('GET', repo.api)).toMatchObject({ likes: 1, liked: true })
    await page.reload()
    await expect(liked).toHaveAttribute('aria-pressed', 'true')
    await liked.click()
    await expect(rows.getByRole('button', { name: `Like ${full}, 0 so far` })).toBeVisible()
  }
})

test('a repo that is absent or hidden says nothing more', async ({ page, person, stranger }) => {
  const hidden = await givenRepo(stranger, { visibility: 'private' })
  for (const address of [hidden.page, `/${person.username}/nothing-here`]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'No such repo' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'repo-not-found' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Search for nothing-here' }).click()
  await expect(page).toHaveURL(/\/search\?q=nothing-here&in=names$/)
})

test('settings change what they say, and only that', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await person.native('POST', `${repo.api}/branches`, { name: 'next', from: 'main' })
  await page.goto(`${repo.page}/settings`)
  await page.getByLabel('Description').fill('Changed')
  await page.getByLabel('Visibility').selectOption('private')
  await page.getByLabel('Access to the files').selectOption('manual')
  await page.getByLabel('Default branch').selectOption('next')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  expect(await person.native('GET', repo.api)).toMatchObject({
    description: 'Changed',
    visibility: 'private',
    gated: 'manual',
    default_branch: 'next',
    discussions_enabled: true,
  })
})

test('collaborators are added, given another role and removed', async ({ page, person, stranger }) => {
  const repo = await givenRepo(person)
  await page.goto(`${repo.page}/settings`)
  const section = page.getByRole('region', { name: 'Collaborators' })
  await section.getByLabel('Username').fill(stranger.username)
  await section.getByLabel('Role', { exact: true }).selectOption('read')
  await section.getByRole('button', { name: 'Add collaborator' }).click()
  await section.getByLabel(`Role of ${stranger.username}`).selectOption('write')
  await expect
    .poll(async () => (await person.native<{ items: unknown[] }>('GET', `${repo.api}/collaborators`)).items)
    .toEqual([{ username: stranger.username, role: 'write' }])
  await section.getByRole('button', { name: `Remove ${stranger.username}` }).click()
  await expect(section.getByText('No collaborators yet.')).toBeVisible()
})

test('access to a gated repo is asked for and given', async ({ page, person, stranger, server, context }) => {
  const repo = await givenRepo(person, { gated: 'manual', files: { 'secret.txt': 'kept' } })
  await signIn(context, server.url, stranger)
  await page.goto(repo.page)
  await page.getByLabel('What you want it for').fill('A study')
  await page.getByRole('button', { name: 'Request access' }).click()
  await expect(page.getByText('Access requested')).toBeVisible()

  await signIn(context, server.url, person)
  await page.goto(`${repo.page}/settings`)
  await expect(page.getByText('A study')).toBeVisible()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('No pending requests')).toBeVisible()
  expect(await stranger.native('GET', repo.api)).toMatchObject({ access: 'accepted' })
})

test('a repo is renamed, deleted by typing its name, and restored', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const renamed = fresh('renamed')
  await page.goto(`${repo.page}/settings`)
  const section = page.getByRole('region', { name: 'Rename' })
  await section.getByLabel('Name').fill(renamed)
  await section.getByRole('button', { name: 'Rename' }).click()
  await expect(page).toHaveURL(`/${person.username}/${renamed}/settings`)

  await page.getByRole('button', { name: 'Delete this model' }).click()
  const { restore_window_seconds: window } = await person.native<{ restore_window_seconds: number }>(
    'GET',
    '/me/deleted-repos',
  )
  await expect(page.getByRole('dialog')).toContainText(`You can restore it for ${window / 86_400} days`)
  const confirm = page.getByRole('button', { name: 'Delete model', exact: true })
  await expect(confirm).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill(`${person.username}/${renamed}`)
  await confirm.click()
  await expect(page).toHaveURL('/settings/deleted')
  await page.getByRole('button', { name: `Restore ${person.username}/${renamed}` }).click()
  await expect(page).toHaveURL(`/${person.username}/${renamed}`)
  const restored = await person.native('GET', `/repos/models/${person.username}/${renamed}`)
  expect(restored['deleted_at']).toBeUndefined()
})

test('a commit that nothing leads to any more is purged by typing the name', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'a' } })
  await person.native('POST', `${repo.api}/branches`, { name: 'slip', from: 'main' })
  const slip = (await commitTexts(person, repo, 'slip', { '.env': 'SECRET=1' })) as { commit: string }
  await person.native('DELETE', `${repo.api}/branches/slip`)
  await page.goto(`${repo.page}/commit/${slip.commit}`)
  await expect(page.getByText('.env').first()).toBeVisible()

  await page.goto(`${repo.page}/settings`)
  await page.getByRole('button', { name: 'Purge unreachable commits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(`${repo.ns}/${repo.name}`)
  await dialog.getByRole('button', { name: 'Purge', exact: true }).click()
  await expect(page).toHaveURL(/\/jobs\//)
  await expect(page.getByText('succeeded').first()).toBeVisible()
  await page.goto(`${repo.page}/commit/${slip.commit}`)
  await expect(page.getByText('.env')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'No such revision' })).toBeVisible()
})

test('a repo is given to an organisation', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const ns = fresh('org')
  await person.native('POST', '/orgs', { ns })
  await page.goto(`${repo.page}/settings`)
  await page.getByLabel('To', { exact: true }).selectOption(ns)
  await page.getByRole('button', { name: 'Transfer' }).click()
  await expect(page).toHaveURL(`/${ns}/${repo.name}/settings`)
  expect(await person.native('GET', `/repos/models/${ns}/${repo.name}`)).toMatchObject({ ns })
})
