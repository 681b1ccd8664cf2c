import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockPlace } from '../../stores/db/index.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-serve-'))
const place = { dataDir: folder, dsn: join(folder, 'other.db') }
afterAll(() => rmSync(folder, { recursive: true }))

async function serve(listen: string) {
  let err = ''
  const words = ['serve', '--quick-start', folder, '--set', `server.listen=${listen}`]
  const status = await run(words, { env: {}, out: () => {}, err: (text) => (err += text) })
  return { status, err }
}

test('a data folder in use by another server is reported in one line', async () => {
  const unlock = await lockPlace(place)
  const { status, err } = await serve('127.0.0.1:0')
  await unlock()
  expect(status).toBe(1)
  expect(err).toBe(
    `Another server is running on the data folder ${folder}; stop it, or set server.data_dir.\n`,
  )
})

test('an address in use is reported in one line, and the data folder is unlocked', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const listen = `127.0.0.1:${(other.address() as AddressInfo).port}`
  const { status, err } = await serve(listen)
  other.close()
  expect(status).toBe(1)
  expect(err).toBe(`Cannot listen at ${listen}: another program listens there; set server.listen.\n`)
  const unlock = await lockPlace(place)
  await unlock()
})
