import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function arsenal(words: string[], env: Record<string, string> = {}) {
  let [out, err] = ['', '']
  const status = await run(words, { env, out: (text) => (out += text), err: (text) => (err += text) })
  return { status, out, err }
}

describe('config check', () => {
  test('a sound configuration passes, and the cache folder was tried', async () => {
    const { status, out } = await arsenal(['config', 'check', '--quick-start', folder])
    expect({ status, out }).toEqual({ status: 0, out: 'The configuration is sound.\n' })
  })

  test('faults are listed together and end with status 2', async () => {
    const set = ['--set', 'git.timeout=2h', '--set', 'jobs.workers=0']
    const { status, err } = await arsenal(['config', 'check', '--quick-start', folder, ...set], {
      SERVICE_TYPO: '1',
    })
    expect(status).toBe(2)
    expect(err).toMatch(
      /3 faults:\n {2}SERVICE_TYPO .*\n {2}jobs\.workers \(flag --set jobs\.workers\): .*\n {2}git\.pack_grace_period/,
    )
  })

  test('a cache folder that cannot be made is a fault', async () => {
    const { status, err } = await arsenal([
      'config',
      'check',
      '--quick-start',
      folder,
      '--set',
      'git.cache_dir=/dev/null/cache',
    ])
    expect(status).toBe(2)
    expect(err).toContain('git.cache_dir')
  })
})

test('config docs prints the reference', async () => {
  const { status, out } = await arsenal(['config', 'docs'])
  expect(status).toBe(0)
  expect(out).toContain('| `server.public_url` | string | empty |')
})

test('without a command the list of commands is shown', async () => {
  const { status, out } = await arsenal([])
  expect(status).toBe(0)
  expect(out).toContain('config check')
})

test('an unknown command or flag is not understood, and the way on is shown', async () => {
  expect(await arsenal(['confg'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('config docs') as string,
  })
  expect(await arsenal(['config', 'docs', '--fast'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('arsenal config docs --help') as string,
  })
})
