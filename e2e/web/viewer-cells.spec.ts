import { whenConverted } from './datasets.ts'
import { expect, givenRepo, test } from './fixtures.ts'

test('cells in full: turns of a conversation, JSON as a tree, text that is never HTML, no file of another server', async ({
  page,
  person,
  server,
}) => {
  const chat = [
    { role: 'user', content: 'How large is <b>it</b>?' },
    { role: 'assistant', content: '12 MB' },
  ]
  const first = {
    chat,
    facts: { size: 9_007_199_254_740, tags: ['a', { deep: 'b' }] },
    link: 'https://hub.test/x.png',
  }
  const lines = [first, { ...first, chat: [], facts: null }]
  const repo = await givenRepo(person, {
    type: 'dataset',
    files: { 'data.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join('') },
  })
  await whenConverted(person, server, repo, 2)
  await page.goto(`${repo.page}/viewer/default/train?row=0`)
  const drawer = page.getByRole('dialog', { name: /^Row/ })
  const cell = (name: string) => drawer.getByRole('region', { name, exact: true })
  await expect(cell('chat')).toContainText('How large is <b>it</b>?')
  await expect(cell('chat').locator('[data-role=user]')).toContainText('user')
  await expect(cell('chat').locator('[data-role=assistant]')).toContainText('12 MB')
  await expect(cell('facts')).toContainText('9007199254740')
  await expect(cell('facts')).toContainText('deep')
  await expect(cell('link')).toContainText('https://hub.test/x.png')
  await expect(drawer.locator('b, img')).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(drawer).toContainText('Row 1')
  await expect(cell('facts')).toContainText('null')
})
