import { whenConverted } from './datasets.ts'
import { expect, givenRepo, test } from './fixtures.ts'
import { expectNoFault, shootAll, turn } from './look.ts'
import { commitBytes, tinyGguf } from './tensors.ts'

const always = ['hf download', 'PowerShell', 'Python', 'JavaScript', 'git']
const cards = [
  {
    matter: 'library_name: transformers\npipeline_tag: text-generation',
    tools: ['transformers', 'vLLM', 'SGLang'],
  },
  { matter: 'library_name: diffusers', tools: ['diffusers'] },
  { matter: 'library_name: sentence-transformers', tools: ['sentence-transformers'] },
  { matter: 'library_name: peft', tools: ['peft'] },
  { matter: 'library_name: timm', tools: ['timm'] },
  { matter: 'library_name: mlx', tools: ['MLX'] },
]

test('a model is offered to the tools that load it, each with the address of this server', async ({
  page,
  person,
}) => {
  for (const { matter, tools } of cards) {
    const repo = await givenRepo(person, { files: { 'README.md': `---\n${matter}\n---\n# A` } })
    await expect.poll(() => person.native('GET', repo.api)).toMatchObject({ index_status: 'ready' })
    await page.goto(repo.page)
    await page.getByRole('button', { name: 'Use this model' }).click()
    const dialog = page.getByRole('dialog')
    const tabs = dialog.getByRole('tablist', { name: 'Tools' }).getByRole('tab')
    await expect(tabs).toHaveText([...tools, ...always])
    for (const tab of await tabs.all()) {
      await tab.click()
      const panel = dialog.getByRole('tabpanel')
      await expect(panel).toContainText(new URL(page.url()).host)
      await expect(panel).toContainText(repo.name)
    }
  }
})

test('a quant is picked for ollama and llama.cpp', async ({ page, person }) => {
  const repo = await givenRepo(person)
  await commitBytes(person, repo, { 'tiny.Q8_0.gguf': tinyGguf('a'), 'tiny.Q4_K_M.gguf': tinyGguf('b') })
  await expect.poll(() => person.native('GET', repo.api)).toMatchObject({ index_status: 'ready' })
  await page.goto(repo.page)
  const { host } = new URL(page.url())
  const id = `${person.username}/${repo.name}`
  await page.getByRole('button', { name: 'Use this model' }).click()
  const dialog = page.getByRole('dialog')
  const tools = dialog.getByRole('tablist', { name: 'Tools' })
  await expect(tools.getByRole('tab')).toHaveText(['ollama', 'llama.cpp', ...always])
  await tools.getByRole('tab', { name: 'ollama' }).click()
  await expect(dialog.getByRole('tabpanel')).toContainText(`ollama run --insecure ${host}/${id}:Q4_K_M`)
  await dialog.getByLabel('Quant').selectOption('Q8_0')
  await expect(dialog.getByRole('tabpanel')).toContainText(`ollama run --insecure ${host}/${id}:Q8_0`)
  await tools.getByRole('tab', { name: 'llama.cpp' }).click()
  await expect(dialog.getByRole('tabpanel')).toContainText(`llama-cli -hf ${id}:Q8_0`)
})

test('the card has the quants with their sizes, and the command that runs the one that is picked', async ({
  page,
  person,
}) => {
  const repo = await givenRepo(person, { files: { 'README.md': '# A model' } })
  const sized = (bytes: number) => tinyGguf('x'.repeat(bytes - tinyGguf('').length))
  const names = ['F32', 'F16', 'Q8_0', 'Q6_K', 'Q5_K_M', 'Q5_K_S', 'Q4_K_M', 'Q4_K_S', 'Q3_K_M', 'Q2_K']
  const files = names.map((name, i) => [`tiny.${name}.gguf`, sized((20 - i) * 1000)])
  await commitBytes(person, repo, Object.fromEntries(files))
  await expect.poll(() => person.native('GET', repo.api)).toMatchObject({ index_status: 'ready' })
  await page.goto(repo.page)
  const { host } = new URL(page.url())
  const quants = page.getByRole('region', { name: 'Quants' })
  const rows = quants.getByRole('button', { name: /^F|^Q/ })
  const sizes = names.map((name, i) => `${name}${20 - i}.0 kB`)
  await expect(rows).toHaveText(sizes.slice(0, 8))
  await expect(quants.getByRole('button', { pressed: true })).toHaveText('Q4_K_M14.0 kB')
  const panel = quants.getByRole('tabpanel')
  const id = `${person.username}/${repo.name}`
  await expect(panel.getByLabel('ollama command')).toHaveText(`ollama run --insecure ${host}/${id}:Q4_K_M`)
  await shootAll(page, 'quants')
  for (const theme of ['dark', 'light'] as const) {
    await turn(page, theme)
    await expectNoFault(page)
  }
  await quants.getByRole('button', { name: 'All 10 quants' }).click()
  await expect(rows).toHaveText(sizes)
  await rows.last().click()
  await expect(panel).toContainText(`ollama run --insecure ${host}/${id}:Q2_K`)
  await quants.getByRole('tab', { name: 'llama.cpp' }).click()
  await expect(panel).toContainText(`export HF_ENDPOINT=http://${host}`)
  await expect(panel).toContainText(`llama-cli -hf ${id}:Q2_K`)
  await expect(panel.getByLabel('llama.cpp command')).toBeVisible()
})

test('a split is offered to the libraries that load it, each with the address of this server', async ({
  page,
  context,
  person,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const repo = await givenRepo(person, { type: 'dataset', files: { 'data.csv': 'id\n1\n2\n' } })
  await whenConverted(person, server, repo, 2)
  await page.goto(`${repo.page}/viewer`)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Use default / train' })
  const tabs = dialog.getByRole('tablist', { name: 'Libraries' }).getByRole('tab')
  await expect(tabs).toHaveText(['datasets', 'DuckDB', 'pandas', 'polars'])
  for (const tab of await tabs.all()) {
    await tab.click()
    await dialog.getByRole('tabpanel').getByRole('button', { name: 'Copy command' }).click()
    const code = await page.evaluate(() => navigator.clipboard.readText())
    const run = code.split('\n').filter((line) => !/^\s*(#|--)/.test(line))
    expect(run.join('\n')).toContain(server.url)
  }
  await shootAll(page, 'use-split')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'The Parquet files of the split' }).click()
  const files = page.getByRole('dialog', { name: 'Parquet files of default / train' }).getByRole('link')
  await expect(files).toHaveText([/\.parquet$/])
  const file = await fetch(server.url + (await files.getAttribute('href')))
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 4)
      .toString(),
  ).toBe('PAR1')
  await shootAll(page, 'parquet-files')
})
