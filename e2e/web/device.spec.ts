import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

/** The command line of huggingface_hub 2.x, as the toolchain installed it. */
const hf = process.env['ARSENAL_HF'] ?? 'hf'
let home = ''
let login: ChildProcess | undefined

test.beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'arsenal-hf-'))
})
test.afterEach(async () => {
  login?.kill()
  await rm(home, { recursive: true, force: true })
})

function start(url: string, args: string[]) {
  const env = { ...process.env, HF_HOME: home, HF_ENDPOINT: url, NO_COLOR: '1', BROWSER: 'true' }
  const child = spawn(hf, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  )
  return { child, ended, output: () => output }
}

async function codeOf(started: ReturnType<typeof start>): Promise<string> {
  let code: string | undefined
  await expect
    .poll(() => (code = /\b[B-Z]{4}-[B-Z]{4}\b/.exec(started.output())?.[0]), { timeout: 45_000 })
    .toBeTruthy()
  return code ?? ''
}

test('a device code started by hf auth login is approved on the page', async ({ page, person, server }) => {
  test.setTimeout(120_000)
  const started = start(server.url, ['auth', 'login'])
  login = started.child
  const code = await codeOf(started)
  await page.goto(`/device?code=${code}`)
  await expect(page.getByText(code)).toBeVisible()
  await expect(page.getByText('Never approve a code')).toBeVisible()
  await expect(page.getByRole('cell', { name: '127.0.0.1' })).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('The device is signed in')).toBeVisible()
  expect(await started.ended, started.output()).toBe(0)

  const whoami = start(server.url, ['auth', 'whoami'])
  await whoami.ended
  expect(whoami.output()).toContain(person.username)
})

test('a typed code is denied, and the command line says so', async ({ page, newcomer, server }) => {
  test.setTimeout(120_000)
  const started = start(server.url, ['auth', 'login'])
  login = started.child
  const code = await codeOf(started)
  await page.goto('/device')
  await page.getByLabel('Code').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByRole('heading', { name: 'Request denied' })).toBeVisible()
  expect(await started.ended).not.toBe(0)
  expect((await newcomer.native<{ items: unknown[] }>('GET', '/me/tokens')).items).toEqual([])
})

test('an unknown code is an error', async ({ page, person }) => {
  await page.goto(`/device?code=BCDF-GHJK`)
  await expect(page.getByRole('heading', { name: 'No device waits under this code' })).toBeVisible()
  expect(person.username).toBeTruthy()
})
