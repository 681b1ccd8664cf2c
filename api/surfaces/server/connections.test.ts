import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { connectionLimits } from './connections.ts'
import { listen } from './listen.ts'

let server: Server | undefined
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function serve(limits: { total: number; perAddress: number }, proxies: string[] = []) {
  server = await listen({ fetch: () => new Response('hello') }, '127.0.0.1:0', {
    publicUrl: 'http://hub.test',
    isProxy: (address) => proxies.includes(address),
    limits,
  })
}

async function dial(localAddress: string): Promise<Socket> {
  if (!server) throw new Error('no server listens')
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** What comes back for a request; the connection stays open where the server leaves it so. */
async function ask(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  while (!/\r\n\r\n.+$/s.test(text)) await once(socket, 'data')
  return text
}

test.each([
  [400, { total: 200, perAddress: 150 }],
  [1024, { total: 512, perAddress: 256 }],
  [1_048_576, { total: 8192, perAddress: 2048 }],
])('with %d open files', (openFiles, limits) => {
  expect(connectionLimits(openFiles)).toEqual(limits)
})

test('one address has its share, others are served; what is refused says why and when to retry', async () => {
  await serve({ total: 100, perAddress: 3 })
  for (let i = 0; i < 3; i++) expect(await ask(await dial('127.0.0.1'))).toContain('200 OK')
  const refusal = await ask(await dial('127.0.0.1'))
  expect(refusal).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
  expect(refusal).toContain('Retry-After: 5\r\n')
  expect(refusal).toContain('"code":"temporarily-unavailable"')
  expect(await ask(await dial('127.0.0.2'))).toContain('200 OK')
})

test('a connection that is closed makes room', async () => {
  await serve({ total: 100, perAddress: 1 })
  const first = await dial('127.0.0.1')
  expect(await ask(first)).toContain('200 OK')
  first.destroy()
  await expect.poll(async () => ask(await dial('127.0.0.1'))).toContain('200 OK')
})

test('a proxy has all of the places', async () => {
  await serve({ total: 100, perAddress: 1 }, ['127.0.0.1'])
  for (let i = 0; i < 20; i++) expect(await ask(await dial('127.0.0.1'))).toContain('200 OK')
})

test('a full server closes waiting connections and takes an address that has few', async () => {
  await serve({ total: 10, perAddress: 100 })
  const waiting = await Promise.all(Array.from({ length: 10 }, () => dial('127.0.0.1')))
  for (const socket of waiting) expect(await ask(socket)).toContain('200 OK')
  const closed = Promise.all(waiting.map((socket) => once(socket, 'close')))
  expect(await ask(await dial('127.0.0.2'))).toContain('200 OK')
  await closed
})
