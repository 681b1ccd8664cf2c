import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../fixtures/database.mjs'
import { startServer } from '../fixtures/server.mjs'
import { givenModel, givenOwner } from '../mirrors/upstream.mjs'
import { expect, fresh, givenRepo, signIn, test, testOn, type Page } from './fixtures.ts'
import { Task } from './tasks.ts'
import { commitBytes, tinyGguf } from './tensors.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Repo', exact: true }).getByRole('link', { name })

test('publish a model folder', async ({ page, person }) => {
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-task-'))
  await writeFile(join(folder, 'config.json'), '{"model_type": "bert"}')
  await writeFile(join(folder, 'model.safetensors'), Buffer.alloc(5_000_000, 7))
  const name = fresh('published')
  await page.goto('/')
  const task = new Task()
  await task.click(page.getByRole('main').getByRole('link', { name: 'New repo' }).first())
  await task.type(page.getByRole('textbox', { name: 'Name' }), name)
  await task.click(page.getByText('Public', { exact: true }))
  await task.click(page.getByRole('button', { name: 'Create and upload files' }))
  await task.choosePath(page.getByLabel('Folder to upload'), folder)
  await task.click(page.getByRole('button', { name: 'Upload 2 files' }))
  await expect(page).toHaveURL(`/${person.username}/${name}/tree/main`)
  task.end('Publish a model folder')
  await rm(folder, { recursive: true })
  const repo = `/repos/models/${person.username}/${name}`
  expect(await person.native('GET', repo)).toMatchObject({ visibility: 'public', formats: ['safetensors'] })
})

test('find a 7B GGUF quant under 5 GB and copy the command that runs it', async ({
  page,
  context,
  person,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const given = async (parameters: number) => {
    const repo = await givenRepo(person, { files: { 'README.md': '# A model' } })
    await commitBytes(person, repo, {
      'm-Q4_K_M.gguf': tinyGguf('{{ x }}'),
      'm-Q8_0.gguf': tinyGguf('{{ y }}'),
    })
    await expect.poll(() => person.native('GET', repo.api)).toMatchObject({ quants: ['Q4_K_M', 'Q8_0'] })
    // The index counts the tensors of tiny files; what it would count of 4 GB of weights stands in for that.
    const { id } = await person.native<{ id: string }>('GET', repo.api)
    const database = openDatabase(server.dir)
    const sql = 'update repo_heads set parameters = ? where repo_id = ?'
    await database.execute({ sql, args: [parameters, id] })
    database.close()
    return repo
  }
  await given(70e9)
  const wanted = await given(7.2e9)
  await page.goto('/models')
  const task = new Task()
  await task.click(page.getByRole('region', { name: 'Quant' }).getByRole('button', { name: /Q4_K_M/ }))
  const parameters = page.getByRole('region', { name: 'Parameters', exact: true })
  await task.click(parameters.getByRole('button', { name: '~7B' }))
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await task.click(page.getByRole('link', { name: `${person.username}/${wanted.name}` }))
  // What the size of a quant is, is read beside it; the one that is filtered by is the usual one.
  const quants = page.getByRole('region', { name: 'Quants' })
  await expect(quants.getByRole('button', { pressed: true })).toHaveText(/^Q4_K_M\d+ B$/)
  await task.click(quants.getByRole('button', { name: 'Copy command' }))
  const command = await page.evaluate(() => navigator.clipboard.readText())
  task.end('Find a 7B GGUF quant under 5 GB and run it')
  const { host } = new URL(server.url)
  expect(command).toBe(`ollama run --insecure ${host}/${person.username}/${wanted.name}:Q4_K_M`)
  const manifest = `${server.url}/v2/${person.username}/${wanted.name}/manifests/Q4_K_M`
  expect((await fetch(manifest)).status).toBe(200)
})

test('ask for access and get it', async ({ page, person, stranger, browser, server }) => {
  const repo = await givenRepo(person, { gated: 'manual', files: { 'config.json': '{"a": 1}' } })
  const theirs = await browser.newContext({ baseURL: server.url })
  await signIn(theirs, server.url, stranger)
  const asking = await theirs.newPage()
  await asking.goto(repo.page)
  await page.goto('/')
  const task = new Task()
  await task.click(asking.getByRole('button', { name: 'Request access' }))
  await expect(asking.getByText('Access requested')).toBeVisible()
  await page.reload()
  await task.click(
    page.getByRole('region', { name: 'Requests waiting for you' }).getByRole('link', { name: repo.name }),
  )
  await task.click(
    page.getByRole('region', { name: 'Access requests' }).getByRole('button', { name: 'Accept' }),
  )
  await expect(page.getByText('No pending requests')).toBeVisible()
  await asking.reload()
  await expect(asking.getByRole('button', { name: 'Request access' })).toHaveCount(0)
  task.end('Ask for access and get it')
  expect((await theirs.request.get(`${repo.page}/resolve/main/config.json`)).status()).toBe(200)
  await theirs.close()
})

test('review and merge a change to a card', async ({ page, person, stranger, context, server }) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# A model\n\nTrained for 3 hours.\n' } })
  await signIn(context, server.url, stranger)
  await page.goto(repo.page)
  await page.getByRole('link', { name: 'Propose a better card' }).click()
  await page.getByLabel('Text').fill('# A model\n\nTrained for 30 hours.\n')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(page).toHaveURL(`${repo.page}/discussions/1`)

  await signIn(context, server.url, person)
  await page.goto(repo.page)
  const task = new Task()
  await task.click(tab(page, 'Community'))
  await task.click(
    page.getByRole('list', { name: 'Discussions and pull requests' }).getByRole('link').first(),
  )
  await task.click(
    page.getByRole('navigation', { name: 'Pull request' }).getByRole('link', { name: 'Files changed' }),
  )
  await expect(
    page.getByRole('region', { name: 'README.md' }).getByRole('row', { name: /\+ .*30 hours/ }),
  ).toBeVisible()
  await task.click(page.getByRole('button', { name: 'Merge…' }))
  await task.click(page.getByRole('button', { name: 'Merge into main' }))
  await expect(page.getByRole('heading', { name: 'Merged into main', exact: true })).toBeVisible()
  task.end('Review and merge a change to a card')
  const card = await fetch(`${server.url}${repo.page}/raw/main/README.md`)
  expect(await card.text()).toContain('30 hours')
})

/** Tests do not reach the public hub, which the page would ask first. */
const apart = testOn({
  'telemetry.log_level': 'warn',
  'security.outbound_allow': 'upstream=127.0.0.1',
  'upstreams.huggingface.enabled': false,
})

apart('mirror a model for offline use', async ({ page, person, admin, server }) => {
  const upstream = await startServer()
  const owner = await givenOwner(upstream)
  const { repo, files } = await givenModel(owner, 'far', { 'model.bin': 70_000 })
  await admin.native('POST', '/admin/upstreams', {
    id: fresh('hub'),
    name: 'Far hub',
    base_url: upstream.url,
  })
  await signIn(page.context(), server.url, person)
  await page.goto('/')
  const task = new Task()
  await task.click(page.getByRole('link', { name: 'Pull from another hub' }))
  await task.click(page.getByRole('link', { name: repo, exact: true }))
  await task.click(page.getByRole('region', { name: 'Pull' }).getByRole('button', { name: 'Pull' }))
  await expect(page.getByText('succeeded', { exact: true })).toBeVisible()
  task.end('Mirror a model for offline use')
  await upstream.stop()
  const answer = await fetch(`${server.url}/${repo}/resolve/main/model.bin`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(files['model.bin'] as Buffer)).toBe(true)
})
