import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { eachDatabase } from '../../testing.ts'
import { listen } from './listen.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { operationsOf } from './testing/operations.ts'

/** Path segments that no URL parser of a client lets through as they are. */
const segments = [
  '.',
  '..',
  '%2e%2e',
  '%2E.',
  '%2f',
  '%5c',
  '%',
  '%zz',
  '%00',
  '%c0%af',
  'é',
  '\\',
  ';',
  '"',
  '{',
  '|',
]
const hosts = [
  '',
  '[',
  'a@b',
  'a/b',
  '%',
  'a b',
  'é',
  'x'.repeat(3000),
  '127.0.0.1:99999',
  '..',
  'user:pass@host',
]

eachDatabase('requests as they come over a socket', (world) => {
  let server: Server
  let port = 0
  beforeAll(async () => {
    server = await listen(
      buildApp(world.deps, { state: 'ready', check: async () => undefined }),
      '127.0.0.1:0',
    )
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Status and text of what the server says before it closes. */
  function say(request: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket: Socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'))
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      socket.on('error', reject)
      socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }))
    })
  }
  const head = (line: string, ...headers: string[]) =>
    [line, ...headers, 'Connection: close', '', ''].join('\r\n')

  test('no odd segment in an address is more than a bad request', async () => {
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const paths = (await operationsOf(app))
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => nativeBase + path)
    const others = [
      '/api/models/{ns}/{name}/tree/{rev}',
      '/{ns}/{name}/resolve/{rev}/{path}',
      '/{ns}/{name}.git/info/lfs/locks',
      '/api/models/{name}',
    ]
    const wrong: string[] = []
    for (const path of [...paths, ...others].filter((one) => one.includes('{')))
      for (const segment of segments) {
        const target = path.replaceAll(/\{\w+\}/g, segment)
        const { status } = await say(head(`GET ${target} HTTP/1.1`, 'Host: x', 'Accept: application/json'))
        if (!(status >= 400 && status < 500)) wrong.push(`${target}: ${status}`)
      }
    expect(wrong).toEqual([])
  })

  test('no odd Host is more than a bad request', async () => {
    const wrong: string[] = []
    for (const host of hosts)
      for (const target of [
        '/',
        `${nativeBase}/repos`,
        '/oauth/device',
        '/api/models/a/b',
        'http://',
        'http://[/',
        '*',
      ]) {
        const { status } = await say(head(`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Accept: */*'))
        if (!(status < 500)) wrong.push(`${target} at "${host.slice(0, 40)}": ${status}`)
      }
    expect(wrong).toEqual([])
  })

  test('a request that two readers could take for different ones is refused', async () => {
    const post = `POST ${nativeBase}/auth/login HTTP/1.1`
    const twice = [
      ['Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
      ['Host: x', 'Content-Length: 2', 'Content-Length: 3'],
      ['Host: x', 'Host: y', 'Content-Length: 2'],
      ['Host: x', 'Content-Length: +2'],
      ['Host: x', 'Transfer-Encoding: chunked, identity'],
    ]
    for (const headers of twice) {
      const { status, text } = await say(`${head(post, 'Content-Type: application/json', ...headers)}{}`)
      expect([headers.join(), status]).toEqual([headers.join(), 400])
      expect(text).toContain('"code":"invalid-request"')
      expect(text).toMatch(/x-request-id: [\w-]{36}\r\n/i)
    }
  })

  test('a health check needs no Host where HTTP/1.0 knows none', async () => {
    const { status, text } = await say('GET /readyz HTTP/1.0\r\n\r\n')
    expect(status, text).toBe(200)
    const without = await say('GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(without.status).toBe(400)
    expect(without.text).toContain('The Host header is missing.')
  })
})
