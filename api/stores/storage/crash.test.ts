import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBytes, listKeys, readAll } from './testing/conformance-given.ts'
import { FsBlobStore } from './fs/fs.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-crash-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const opening = `
  import { writeSync } from 'node:fs'
  import { FsBlobStore } from ${JSON.stringify(new URL('./fs/fs.ts', import.meta.url).href)}
  const store = await FsBlobStore.open({ path: process.argv[1] })
  const say = (line) => writeSync(1, line + '\\n')`

const silentPut = `${opening}
  async function* source() {
    yield Buffer.alloc(3 * 1024 * 1024, 1)
    say('under way')
    await new Promise(() => setInterval(() => undefined, 1000))
  }
  await store.put('a/b', source())`

/** Object n is n MiB and n bytes of the value n. */
const manyPuts = `${opening}
  const MIB = 1024 * 1024
  async function* bytes(length, n) { yield Buffer.alloc(length, n) }
  for (let n = 1; n < 100; n++) {
    const key = 'a/' + (n % 3) + '/' + n
    await store.put(key, bytes(n * MIB + n, n))
    say(key)
  }`

function start(code: string, path: string): ChildProcess {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const args = ['--import', tsx, '--input-type=module', '-e', code, path]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Runs `code` on a fresh store, kills it at its n-th line, and reopens the store. */
async function killedAtLine(
  code: string,
  n: number,
  delayMs: number,
): Promise<{ store: FsBlobStore; lines: string[] }> {
  const path = await mkdtemp(join(dir, 'store-'))
  const child = start(code, path)
  const exit = once(child, 'exit')
  const lines: string[] = []
  const output = child.stdout
  if (!output) throw new Error('the child has no output')
  for await (const line of createInterface(output)) {
    lines.push(line)
    if (lines.length === n) setTimeout(() => child.kill('SIGKILL'), delayMs)
  }
  expect(await exit).toEqual([null, 'SIGKILL'])
  return { store: await FsBlobStore.open({ path }), lines }
}

describe('kill -9', () => {
  test('in the middle of a put leaves nothing to see', async () => {
    const { store, lines } = await killedAtLine(silentPut, 1, 0)
    expect(lines).toEqual(['under way'])
    expect(await store.stat('a/b')).toBeUndefined()
    expect(await listKeys(store, '')).toEqual([])
    await store.close()
  })

  test.each([0, 1, 3, 7, 12])(
    'at some moment loses no stored object and shows no half one (%i ms)',
    async (delayMs) => {
      const { store, lines } = await killedAtLine(manyPuts, 4 + (delayMs % 4), delayMs)
      const keys = await listKeys(store, '')
      expect(keys).toEqual(expect.arrayContaining(lines))
      expect(keys.length).toBeLessThanOrEqual(lines.length + 1)
      for (const key of keys) {
        const n = Number(key.split('/').at(-1))
        expectBytes(await readAll(store, key), Buffer.alloc(n * 1024 * 1024 + n, n))
      }
      await store.close()
    },
    20_000,
  )
})
