import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FaultyBlobStore } from '../../stores/storage/testing/faulty.ts'
import { MemoryBlobStore } from '../../stores/storage/testing/memory.ts'
import { silentLogger } from '../../platform/telemetry/index.ts'
import { testConfig } from '../../testing.ts'
import { reachStore, StoreOutOfReach } from './reach.ts'
import { run } from './run.ts'
import { startServer } from './server.ts'

const log = silentLogger()
const never = new AbortController().signal
let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'cli-reach-'))))
afterAll(() => rm(folder, { recursive: true }))

/** A store that cannot be used the first `times` times. */
function givenLateStore(times: number) {
  return new FaultyBlobStore(new MemoryBlobStore(), ({ n }) =>
    n <= times ? { type: 'before', kind: 'permanent' } : undefined,
  )
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

test('a store that comes up late is waited for', async () => {
  const blobs = givenLateStore(2)
  await reachStore({ blobs, log }, 60_000, never)
  expect(blobs.ioCount).toBe(3)
})

test('a wait of 0 asks once', async () => {
  const blobs = givenLateStore(1)
  await expect(reachStore({ blobs, log }, 0, never)).rejects.toBeInstanceOf(StoreOutOfReach)
  expect(blobs.ioCount).toBe(1)
})

test('a server whose bucket does not answer says so and exits', async () => {
  const set = ['storage.backend=s3', 'storage.s3.endpoint=http://127.0.0.1:1', 'storage.s3.startup_wait=0']
  const keys = ['storage.s3.access_key_id=a', 'storage.s3.secret_access_key=b', 'server.listen=127.0.0.1:0']
  const words = [
    'serve',
    '--quick-start',
    join(folder, 'quick'),
    ...[...set, ...keys].flatMap((each) => ['--set', each]),
  ]
  let err = ''
  const status = await run(words, { env: {}, out: () => undefined, err: (text) => (err += text) })
  expect(err).toMatch(/^The blob store cannot be used: .*ECONNREFUSED/)
  expect(status).toBe(1)
})

test('while the bucket is waited for, /readyz answers 503 and a stop is heard', async () => {
  const port = await freePort()
  const s3 = { endpoint: 'http://127.0.0.1:1', access_key_id: 'a', secret_access_key: 'b' }
  const config = testConfig(join(folder, 'waiting'), {
    server: { listen: `127.0.0.1:${port}` },
    database: { dsn: join(folder, 'waiting.db') },
    storage: { backend: 's3', s3 },
  })
  const stop = new AbortController()
  const starting = startServer(config, log, () => undefined, undefined, stop.signal)
  const ended = starting.then(
    () => 'started',
    (error: unknown) => error,
  )
  const ask = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  let answer = await ask()
  while (!answer) answer = await ask()
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({ status: 'starting' })
  stop.abort(new Error('stopped'))
  expect(await ended).toMatchObject({ message: 'stopped' })
})
