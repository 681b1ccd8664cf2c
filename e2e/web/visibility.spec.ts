import {
  expect,
  fresh,
  signIn,
  test as open,
  testOn,
  type Page,
  type Person,
  type Server,
} from './fixtures.ts'

const closed = testOn({ 'security.anonymous_read': 'false' })

/** Creates a repo as clients do that say nothing of its visibility; what it got. */
async function createdByClient(server: Server, person: Person, organization?: string): Promise<string> {
  const { secret } = await person.native<{ secret: string }>('POST', '/me/tokens', {
    name: fresh('client'),
    scopes: ['write'],
  })
  const name = fresh('pushed')
  const answer = await fetch(`${server.url}/api/repos/create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, type: 'model', ...(organization && { organization }) }),
  })
  expect(answer.status).toBe(200)
  const ns = organization ?? person.username
  return (await person.native<{ visibility: string }>('GET', `/repos/models/${ns}/${name}`)).visibility
}

const defaultOf = (page: Page) => page.getByLabel('Visibility of new repos from clients')

async function save(page: Page, visibility: 'public' | 'private') {
  await defaultOf(page).selectOption(visibility)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Profile saved').first()).toBeVisible()
}

open('a person sets what visibility clients give their new repos', async ({ page, newcomer, server }) => {
  await page.goto('/settings')
  await expect(defaultOf(page)).toHaveValue('public')
  expect(await createdByClient(server, newcomer)).toBe('public')
  await save(page, 'private')
  expect(await newcomer.native('GET', '/me')).toMatchObject({ default_visibility: 'private' })
  expect(await createdByClient(server, newcomer)).toBe('private')
  await page.reload()
  await expect(defaultOf(page)).toHaveValue('private')
  await save(page, 'public')
  expect(await createdByClient(server, newcomer)).toBe('public')
})

open('an organisation has a default of its own, which its admins set', async ({ page, newcomer, server }) => {
  const ns = fresh('lab')
  await newcomer.native('POST', '/orgs', { ns })
  await page.goto(`/${ns}/settings`)
  await expect(defaultOf(page)).toHaveValue('public')
  expect(await createdByClient(server, newcomer, ns)).toBe('public')
  await save(page, 'private')
  expect(await newcomer.native('GET', `/namespaces/${ns}`)).toMatchObject({ default_visibility: 'private' })
  expect(await createdByClient(server, newcomer, ns)).toBe('private')
  // That of the person stays.
  expect(await createdByClient(server, newcomer)).toBe('public')
})

/** Creates a public repo by the form, which starts at private and says who can read what is public: `readers`. */
async function createPublic(page: Page, person: Person, readers: string) {
  const name = fresh('seen')
  await page.goto('/new')
  const choice = page.getByRole('radiogroup', { name: 'Visibility' })
  await expect(choice.getByRole('radio', { name: 'Private' })).toBeChecked()
  await expect(page.getByText('Only its owner, members and collaborators can read it.')).toBeVisible()
  await choice.getByText('Public').click()
  await expect(page.getByText(`${readers} can read it.`)).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create model' }).click()
  await expect(page).toHaveURL(`/${person.username}/${name}`)
  const api = `/repos/models/${person.username}/${name}`
  expect(await person.native('GET', api)).toMatchObject({ visibility: 'public' })
  return `/api/service/v1${api}`
}

open(
  'the form for a new repo starts at private, and public is for anyone',
  async ({ page, person, server }) => {
    const api = await createPublic(page, person, 'Anyone who can reach this server')
    expect((await fetch(server.url + api)).status).toBe(200)
  },
)

closed(
  'where visitors read nothing, the form says that public means those who are signed in',
  async ({ page, person, stranger, browser, server }) => {
    const api = await createPublic(page, person, 'Everyone who is signed in')
    expect((await fetch(server.url + api)).status).toBe(401)
    const theirs = await browser.newContext({ baseURL: server.url })
    const reader = await theirs.newPage()
    const address = new URL(page.url()).pathname
    await reader.goto(address)
    await expect(reader.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await signIn(theirs, server.url, stranger)
    await reader.goto(address)
    await expect(reader.getByRole('heading', { level: 1, name: person.username })).toBeVisible()
    await theirs.close()
  },
)

closed('a private repo is created by the form as it starts', async ({ page, person, stranger }) => {
  const name = fresh('kept')
  await page.goto('/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create model' }).click()
  await expect(page).toHaveURL(`/${person.username}/${name}`)
  const api = `/repos/models/${person.username}/${name}`
  expect(await person.native('GET', api)).toMatchObject({ visibility: 'private' })
  await expect(stranger.native('GET', api)).rejects.toThrow(/404/)
})
