import type { Locator } from '@playwright/test'
import { commitTexts, givenPull } from './community.ts'
import { expect, fresh, givenRepo, testOn } from './fixtures.ts'

// A server of its own, whose lists are empty at first.
const test = testOn({ 'telemetry.log_level': 'warn' })

/** Every tool's command there names this server, and none the public hub. */
async function expectOurs(where: Locator, url: string) {
  const { host } = new URL(url)
  const tools = where.getByRole('tablist', { name: 'Commands' }).getByRole('tab')
  const shell = tools.getByText('Shell', { exact: true })
  await expect(shell).toBeVisible()
  for (const tool of await tools.all()) {
    await tool.click()
    const command = where.getByLabel(`${await tool.textContent()} command`, { exact: true })
    await expect(command).toContainText(host)
    await expect(command).not.toContainText(/huggingface\.co|hf\.co/)
  }
  await shell.click()
  await expect(where.getByLabel('Shell command', { exact: true })).toContainText(
    new RegExp(`^export HF_ENDPOINT=${url}\\s+hf `),
  )
}

test('commands on every page name this server, and none the public hub', async ({ page, person, server }) => {
  const main = page.getByRole('main')
  const at = async (address: string) => {
    await page.goto(address)
    await expectOurs(main, server.url)
  }
  await test.step('empty lists', async () => {
    for (const list of ['models', 'datasets']) {
      await at(`/${list}`)
      await expect(page.getByRole('heading', { name: `No ${list} yet` })).toBeVisible()
    }
  })
  await test.step('a new repo', async () => {
    await at('/new')
  })
  const repo = await givenRepo(person, { files: { 'notes.txt': 'one\ntwo\n' } })
  await test.step('uploads', async () => {
    await at(`${repo.page}/upload/main`)
  })
  await test.step('a new token', async () => {
    await page.goto('/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(fresh('laptop'))
    await page.getByRole('button', { name: 'Create' }).click()
    const dialog = page.getByRole('dialog')
    await expectOurs(dialog, server.url)
    await expect(dialog.getByLabel('Shell command', { exact: true })).toContainText(
      /hf auth login --token hf_asl_/,
    )
  })
  await test.step('pull requests', async () => {
    await at(`${repo.page}/discussions`)
    await at(`${repo.page}/discussions/new?kind=pull_request`)
    await expect(main.getByLabel('Shell command', { exact: true })).toContainText('--create-pr')
  })
  await test.step('a conflict', async () => {
    const num = await givenPull(person, repo, 'Two becomes 2', { 'notes.txt': 'one\n2\n' })
    await commitTexts(person, repo, 'main', { 'notes.txt': 'one\nTWO\n' })
    await at(`${repo.page}/discussions/${num}`)
    await expect(page.getByText('Conflicts with main')).toBeVisible()
    await expect(main.getByLabel('Shell command', { exact: true })).toContainText(`--revision refs/pr/${num}`)
  })
})
