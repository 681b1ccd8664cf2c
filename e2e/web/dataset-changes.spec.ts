import { commitTexts, givenPull } from './community.ts'
import { expect, givenRepo, signIn, test } from './fixtures.ts'
import { lookAt } from './look.ts'

const card = '---\nconfigs:\n- config_name: default\n  key: id\n  data_files: "*.csv"\n---\n# Words\n'
const line = (id: number, word: string) => `${id},${word},${'x'.repeat(40)}`
const csv = (lines: string[]) => `id,word,filler\n${lines.join('\n')}\n`
const words = Array.from({ length: 200 }, (_, i) => line(i, `word ${i}`))

test('rows and columns that a pull request, a commit and a comparison change stand beside the files', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, {
    type: 'dataset',
    files: { 'README.md': card, 'words.csv': csv(words) },
  })
  const after = [...words.slice(0, 7), line(7, 'another <b>word</b>'), ...words.slice(10), line(500, 'new')]
  const num = await givenPull(person, repo, 'Correct a word', { 'words.csv': csv(after) })
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const data = page.getByRole('region', { name: 'Changes of the data' })
  const split = data.getByRole('region', { name: 'Split train' })
  await expect(split).toContainText('+1 added')
  await expect(split).toContainText('−2 removed')
  await expect(split).toContainText('±1 changed')
  await split.getByRole('button', { name: 'Show rows' }).click()
  const rows = split.getByRole('row')
  await expect(rows).toHaveText([
    'RowidCells',
    'changed7word word 7 → another <b>word</b>',
    'added500',
    'removed8',
    'removed9',
  ])

  await commitTexts(person, repo, 'main', {
    'words.csv': `id,word\n${words.map((_, i) => `${i}.5,word ${i}`).join('\n')}\n`,
  })
  const { items } = await person.native<{ items: { sha: string }[] }>('GET', `${repo.api}/commits`)
  await page.goto(`${repo.page}/commit/${items[0]?.sha}`)
  await expect(data.getByRole('list', { name: 'Changed columns' })).toHaveText(
    /−\s*filler string\s*±\s*id int64 → float64/,
  )
  await commitTexts(person, repo, 'main', { 'notes.txt': 'No data.\n' })
  await page.goto(`${repo.page}/compare?base=main&head=refs%2Fpr%2F${num}`)
  await expect(data.getByRole('list', { name: 'Changed columns' })).toContainText('+ filler string')

  await lookAt(page, { pull: `${repo.page}/discussions/${num}/files` }, async () => {
    await split.getByRole('button', { name: 'Show rows' }).click()
    await expect(split.getByText('another <b>word</b>')).toBeVisible()
  })
})

test('large data are compared by a job that somebody asks for', async ({ page, person, context, server }) => {
  const long = (from: number) =>
    csv(Array.from({ length: 5000 }, (_, i) => `${from + i},${'long '.repeat(200)},x`))
  const repo = await givenRepo(person, {
    type: 'dataset',
    files: { 'README.md': card, 'words.csv': long(0) },
  })
  const num = await givenPull(person, repo, 'Drop five rows', { 'words.csv': long(5) })
  await context.clearCookies()
  await page.goto(`${repo.page}/discussions/${num}/files`)
  const data = page.getByRole('region', { name: 'Changes of the data' })
  await expect(data).toContainText('Sign in to have the rows')
  await signIn(context, server.url, person)
  await page.reload()
  await data.getByRole('button', { name: 'Compare the rows' }).click()
  await expect(data.getByRole('region', { name: 'Split train' })).toContainText('−5 removed', {
    timeout: 60_000,
  })
})
