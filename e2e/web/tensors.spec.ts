import { expect, givenRepo, test } from './fixtures.ts'
import { expectNoFault, shootAll } from './look.ts'
import { commitBytes, tinyGguf, weights } from './tensors.ts'

const template = "{% for message in messages %}<|{{ message['role'] }}|>{% endfor %}"

test('the tensors of a sharded model are one tree that can be searched', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const layer = (n: number) => ({
    [`model.layers.${n}.mlp.weight`]: ['BF16', [8, 16]] as ['BF16', number[]],
    [`model.layers.${n}.norm.weight`]: ['F32', [8]] as ['F32', number[]],
  })
  const names = (n: number) => Object.keys(layer(n))
  const shard = (n: number) => `model-0000${n}-of-00002.safetensors`
  const map = [...Array(60).keys()].flatMap((n) => names(n).map((name) => [name, shard(n < 30 ? 1 : 2)]))
  const shardOf = (from: number, to: number) =>
    weights(Object.assign({}, ...Array.from({ length: to - from }, (_, i) => layer(from + i))) as never, {
      format: 'pt',
    })
  await commitBytes(person, repo, {
    [shard(1)]: shardOf(0, 30),
    [shard(2)]: shardOf(30, 60),
    'model.safetensors.index.json': JSON.stringify({ metadata: {}, weight_map: Object.fromEntries(map) }),
  })
  await page.goto(`${repo.page}/blob/main/model.safetensors.index.json`)
  const explorer = page.getByRole('region', { name: 'Tensors and keys' })
  await expect(explorer.getByText('2 shards')).toBeVisible()
  await expect(explorer.getByText('BF16 94.1%')).toBeVisible()
  await explorer.getByRole('button', { name: 'model.layers' }).click()
  const tenth = explorer.getByRole('button', { name: /^10 / })
  await tenth.scrollIntoViewIfNeeded()
  await tenth.click()
  await expect(explorer.getByText('8 × 16').first()).toBeVisible()
  await explorer.getByRole('searchbox').fill('layers.59 f32')
  await expect(explorer.getByText('F32', { exact: true })).toBeVisible()
  await expect(explorer.getByText('8 × 16')).toHaveCount(0)
  await explorer.getByRole('searchbox').fill('nothing like it')
  await expect(explorer.getByText('No tensor has all of these words.')).toBeVisible()
  await explorer.getByText('Keys', { exact: true }).click()
  await explorer.getByRole('searchbox').fill('')
  await expect(explorer.getByRole('row', { name: 'format pt' })).toBeVisible()

  await page.goto(repo.page)
  const dtypes = page.getByRole('region', { name: 'Parameters' })
  await expect(dtypes.getByText('BF16')).toBeVisible()
})

test('a GGUF file shows its keys, and its chat template as text', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const hostile = `${template}<img src=x onerror="document.title='run'">`
  await commitBytes(person, repo, { 'tiny.Q8_0.gguf': tinyGguf(hostile) })
  await page.goto(`${repo.page}/blob/main/tiny.Q8_0.gguf`)
  const explorer = page.getByRole('region', { name: 'Tensors and keys' })
  await expect(explorer.getByText('32 × 2')).toBeVisible()
  await expect(explorer.getByText('Q8_0 100%')).toBeVisible()
  await explorer.getByText('Chat template', { exact: true }).click()
  await expect(explorer.getByText('onerror=', { exact: false })).toBeVisible()
  await expect(page).not.toHaveTitle('run')
  await explorer.getByText('Keys', { exact: true }).click()
  await expect(explorer.getByText('3 × string: ["<s>", "</s>", "hi"]')).toBeVisible()
  await expectNoFault(page)
  await shootAll(page, 'gguf')
})

test('a damaged file says what is wrong with it', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await commitBytes(person, repo, { 'm.safetensors': weights({ a: ['F32', [4]] }).subarray(0, -4) })
  await page.goto(`${repo.page}/blob/main/m.safetensors`)
  const explorer = page.getByRole('region', { name: 'Tensors and keys' })
  await expect(explorer.getByText('st_truncated')).toBeVisible()
})

test('a commit shows which tensors changed, and a job which bytes', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await commitBytes(person, repo, {
    'm.safetensors': weights({ a: ['F32', [4]], b: ['F32', [4], 1], c: ['F32', [2]] }, { step: '1' }),
  })
  const sha = await commitBytes(person, repo, {
    'm.safetensors': weights(
      { a: ['F32', [4]], b: ['F32', [4], 2], c: ['BF16', [2]], d: ['F32', [1]] },
      { step: '2' },
    ),
  })
  await page.goto(`${repo.page}/commit/${sha}`)
  const file = page.getByRole('region', { name: 'm.safetensors' })
  await expect(file.getByText('Tensors: 1 added, 1 with another dtype or shape, 2 as before.')).toBeVisible()
  const tensors = file.getByRole('region', { name: 'Tensors that changed' })
  await expect(tensors.getByRole('row', { name: 'changed c F32 2 BF16 2' })).toBeVisible()
  await expect(tensors.getByRole('row', { name: 'added d F32 1' })).toBeVisible()
  await expect(
    file.getByRole('region', { name: 'Keys that changed' }).getByRole('row', { name: 'changed step 1 2' }),
  ).toBeVisible()
  await file.getByRole('button', { name: 'Compare the bytes' }).click()
  await expect(file.getByText('1 of 2 tensors have other bytes.')).toBeVisible()
  await expect(file.getByRole('list', { name: 'Tensors with other bytes' })).toHaveText('b')
  await expectNoFault(page)
  await shootAll(page, 'tensors-changed')
  // Later visitors see the result at once.
  await page.reload()
  await expect(file.getByText('1 of 2 tensors have other bytes.')).toBeVisible()
})

test('a pull request shows which tensors it changes', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await commitBytes(person, repo, { 'm.safetensors': weights({ a: ['F32', [4]], b: ['F32', [4]] }) })
  await commitBytes(
    person,
    repo,
    { 'm.safetensors': weights({ a: ['F32', [4], 7] }) },
    { create_pull_request: true, title: 'Drop b' },
  )
  await page.goto(`${repo.page}/discussions/1/files`)
  const file = page.getByRole('region', { name: 'm.safetensors' })
  await expect(file.getByText('Tensors: 1 removed, 1 as before.')).toBeVisible()
  await file.getByRole('button', { name: 'Compare the bytes' }).click()
  await expect(file.getByText('1 of 1 tensors have other bytes.')).toBeVisible()
})
