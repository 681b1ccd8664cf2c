import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { expect, fresh, givenRepo, test, type GivenRepo, type Person, type Server } from './fixtures.ts'
import { commitTexts, givenPull } from './community.ts'
import { lookAt } from './look.ts'

interface Author {
  name: string
  email: string
}

/** Commits of these authors, one each, as people push them by git. */
async function push(at: { server: Server; person: Person; repo: GivenRepo; dir: string }, authors: Author[]) {
  const { server, person, repo, dir } = at
  const { secret } = await person.native<{ secret: string }>('POST', '/me/tokens', {
    name: fresh('push'),
    scopes: ['write'],
  })
  const address = new URL(`${server.url}/${repo.ns}/${repo.name}.git`)
  address.username = person.username
  address.password = secret
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  const git = (args: string[], input = '') => execFileSync('git', ['-C', dir, ...args], { env, input })
  mkdirSync(dir, { recursive: true })
  git(['clone', '-q', '--bare', address.href, '.'])
  const commits = authors.map(({ name, email }, i) => {
    const by = `${name} <${email}> ${1_600_000_000 + i * 86_400} +0000`
    const from = i === 0 ? 'from refs/heads/main^0\n' : ''
    const file = `M 644 inline ${i}.txt\ndata 2\n${i % 10}\n`
    return `commit refs/heads/main\nauthor ${by}\ncommitter ${by}\ndata 6\nPushed\n${from}${file}\n`
  })
  git(['fast-import', '--quiet'], commits.join(''))
  git(['push', '-q', 'origin', 'main'])
}

test('the history says who made it, and leads to them', async ({ page, server, person, stranger }, info) => {
  test.setTimeout(180_000)
  const repo = await givenRepo(person, { files: { 'README.md': '# Model\n' } })
  const num = await givenPull(stranger, repo, 'Add a note', { 'note.txt': 'note\n' })
  await person.native('POST', `${repo.api}/discussions/${num}/merge`, {
    method: 'merge',
    title: 'Bring it in',
  })
  await commitTexts(person, repo, 'main', { 'README.md': '# A model\n' })
  await page.goto(`${repo.page}/commits/main`)
  const section = page.getByRole('region', { name: 'Contributors' })
  const rows = section.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText(`${person.username}3 commits`)
  await expect(rows.nth(1)).toContainText(`${stranger.username}2 commits`)
  await expect(section.getByRole('button')).toHaveCount(0)
  await rows.nth(1).getByRole('link', { name: stranger.username }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/${stranger.username}`)

  const authors = Array.from({ length: 14 }, (_, i) => ({
    name: `Person ${String.fromCodePoint(65 + i)}`,
    email: `person${i}@secret.example`,
  }))
  const long = {
    name: 'A person with a name that is longer than the column is wide',
    email: 'Long@secret.example',
  }
  const other = { name: 'The same by another name', email: 'long@secret.example' }
  const addressed = { name: 'zoe@secret.example', email: 'zoe@secret.example' }
  await push({ server, person, repo, dir: info.outputPath('bare') }, [...authors, other, long, addressed])
  await page.goto(`${repo.page}/commits/main`)
  await expect(rows).toHaveCount(10)
  await expect(rows.nth(2)).toContainText(`${long.name}2 commits`)
  await expect(section.getByText(other.name)).toHaveCount(0)
  const more = section.getByRole('button')
  await expect(more).toHaveText('Show all 18')
  await more.press('Enter')
  await expect(rows).toHaveCount(18)
  await expect(more).toBeFocused()
  await expect(section.getByText('zoe', { exact: true })).toBeVisible()
  await expect(section).not.toContainText('secret.example')
  await expect(section.getByText('not counted')).toHaveCount(0)
  await more.press('Enter')
  await expect(rows).toHaveCount(10)
  await lookAt(page, { contributors: `${repo.page}/commits/main` }, () => expect(rows).toHaveCount(10))

  // The history of a file has no people beside it.
  await page.goto(`${repo.page}/commits/main/README.md`)
  await expect(page.getByRole('link', { name: 'Change main' })).toBeVisible()
  await expect(section).toHaveCount(0)
})

test('contributors that cannot be counted at the moment are asked for again', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'a.txt': 'one\n' } })
  await commitTexts(person, repo, 'main', { 'a.txt': 'two\n' })
  let fails = true
  const problem = { status: 403, code: 'forbidden', title: 'Not allowed', detail: 'Not at the moment.' }
  await page.route('**/contributors?*', (route) =>
    fails
      ? route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem })
      : route.continue(),
  )
  await page.goto(`${repo.page}/commits/main`)
  const section = page.getByRole('region', { name: 'Contributors' })
  const retry = section.getByRole('button', { name: 'Try again' })
  await expect(section.getByRole('alert')).toContainText('Not at the moment.')
  await expect(page.getByTitle('Files at this commit')).toHaveCount(3)
  fails = false
  await retry.click()
  await expect(section.getByRole('listitem')).toContainText(`${person.username}3 commits`)
})
