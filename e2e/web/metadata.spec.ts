import { expect, givenRepo, signIn, test } from './fixtures.ts'
import { expectNoFault } from './look.ts'

const card = `---
# by hand, keep
license:   "mit"   # checked by legal
tags: [a,  b]

model-index: []
---

# Model
`

test('fields of a card change their own lines alone, and are checked while they are typed', async ({
  page,
  person,
  server,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': card } })
  const base = await givenRepo(person)
  await page.goto(repo.page)
  await page.getByRole('link', { name: 'Edit the metadata' }).click()
  await expect(page.getByRole('combobox', { name: 'Licence' })).toHaveValue('mit')
  await page.getByRole('combobox', { name: 'Task' }).fill('text-gen')
  await page.getByRole('option', { name: 'text-generation', exact: true }).click()
  const languages = page.getByRole('combobox', { name: 'Languages' })
  await languages.fill('English')
  await languages.press('Enter')
  await expect(page.getByText('Hub clients refuse this metadata')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Commit to main' })).toBeDisabled()
  await languages.press('Backspace')
  await languages.fill('no')
  await languages.press('Enter')
  await expect(page.getByText('Hub clients refuse this metadata')).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Base models' }).fill(base.name)
  await page.getByRole('option', { name: `${base.ns}/${base.name}` }).click()
  const written = page.getByRole('region', { name: 'The metadata as YAML' })
  await expect(written).toContainText('pipeline_tag: text-generation')
  await expectNoFault(page)
  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page.getByRole('heading', { name: 'Model', exact: true })).toBeVisible()
  const stored = await fetch(`${server.url}/${repo.ns}/${repo.name}/resolve/main/README.md`, {
    headers: { Cookie: person.cookie() },
  })
  expect(await stored.text()).toBe(
    card.replace(
      'model-index: []\n',
      `model-index: []\npipeline_tag: text-generation\nlanguage:\n- "no"\nbase_model:\n- ${base.ns}/${base.name}\n`,
    ),
  )
})

test('somebody who may not write proposes metadata as a pull request', async ({
  page,
  context,
  owner,
  stranger,
  server,
}) => {
  const repo = await givenRepo(owner, { files: { 'README.md': card } })
  await signIn(context, server.url, stranger)
  await page.goto(repo.page)
  await page.getByRole('link', { name: 'Propose better metadata' }).click()
  await page.getByRole('combobox', { name: 'Licence' }).fill('apache-2.0')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await page.waitForURL(/discussions\/1$/)
  expect(await owner.native('GET', `${repo.api}/discussions/1`)).toMatchObject({
    title: 'Update the metadata of the card',
  })
})

test('a repo without a card gets one; one that fields cannot edit says why', async ({ page, person }) => {
  const repo = await givenRepo(person, { files: { 'broken/README.md': 'x' } })
  await person.native('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Drop the card',
    operations: [{ op: 'delete', path: 'README.md' }],
  })
  await page.goto(`${repo.page}/metadata/main`)
  await page.getByRole('combobox', { name: 'Licence' }).fill('mit')
  await page.getByRole('button', { name: 'Commit to main' }).click()
  await expect(page.getByRole('heading', { name: repo.name }).first()).toBeVisible()
  const broken = await givenRepo(person, { files: { 'README.md': '---\nlicense: [\n---\n' } })
  await page.goto(`${broken.page}/metadata/main`)
  await expect(page.getByText('This card cannot be edited by fields')).toBeVisible()
  await page.getByRole('link', { name: 'Edit the text of the card' }).click()
  await expect(page.getByLabel('Text')).toBeVisible()
})

test('the results of a model stand beside its card', async ({ page, person }) => {
  const metrics = Array.from({ length: 10 }, (_, i) => `      - type: m${i}\n        value: 0.${i}5\n`).join(
    '',
  )
  const readme = `---
model-index:
- name: tiny
  results:
  - task:
      type: text-generation
    dataset:
      name: MMLU
      type: cais/mmlu
      split: test
    metrics:
      - type: accuracy
        value: 0.7134567
        verified: true
    source:
      name: board
      url: https://example.org/board
  - dataset:
      type: common
    metrics:
${metrics}---

# Tiny
`
  const repo = await givenRepo(person, { files: { 'README.md': readme } })
  await page.goto(repo.page)
  const results = page.getByRole('region', { name: 'Evaluation results' })
  const rows = results.getByRole('listitem')
  await expect(rows).toHaveCount(8)
  await expect(rows.first()).toContainText(/accuracy0\.7135MMLU \(test\) ·\s+verified · board/)
  await expect(results.getByRole('link', { name: 'board' })).toHaveAttribute(
    'href',
    'https://example.org/board',
  )
  await expect(rows.nth(1)).toContainText('common · self-reported')
  await results.getByRole('button', { name: 'Show all 11' }).click()
  await expect(rows).toHaveCount(11)
  await expect(rows.last()).toContainText('m90.95')
  await expect(results.getByRole('button', { name: 'Show fewer' })).toBeFocused()
  await expectNoFault(page)
})
