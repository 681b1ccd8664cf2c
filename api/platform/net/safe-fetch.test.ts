import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { checkTarget, environmentProxy, guardFor, safeFetch, safeStream, type Lookup } from './index.ts'
import { givenCertificate } from './testing.ts'

const nowhere: Lookup = async () => []
const standsFor =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses

const servers: Server[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A real server on a loopback address, which only `allow` makes reachable, and what it was asked. */
async function givenServer(
  address: string,
  answer: RequestListener,
  secure?: ReturnType<typeof givenCertificate>,
): Promise<{ url: string; port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => {
    asked.push(request)
    answer(request, response)
  }
  const server = secure ? createSecureServer(secure, listener) : createServer(listener)
  servers.push(server)
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http${secure ? 's' : ''}://${address}:${port}/`, port, asked }
}

const open = (lookup: Lookup = nowhere) => guardFor('webhook', ['webhook=127.0.0.2'], lookup)
const fault = (name: string) => ({ name: 'OutboundError', fault: name })

describe('an address is refused', () => {
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://１２７.０.０.１/',
    'http://0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://168.63.129.16/',
    'http://169.254.169.254/latest/meta-data',
    'http://172.31.0.1/',
    'http://192.168.0.1/',
    'http://198.19.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://a.localhost/',
    'http://metadata.google.internal/',
  ])('that leads inside: %s', async (url) => {
    const guard = guardFor('webhook', [], standsFor('8.8.8.8'))
    await expect(checkTarget(url, guard)).rejects.toMatchObject(fault('blocked'))
  })

  test.each([
    'nonsense',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:word@example.com/',
    'http://example.com./',
    'http://localhost./',
  ])('that is none for requests: %s', async (url) => {
    const guard = guardFor('webhook', [], standsFor('8.8.8.8'))
    await expect(checkTarget(url, guard)).rejects.toMatchObject(fault('invalid-url'))
  })

  test.each([['8.8.8.8', '10.0.0.1'], ['::ffff:10.0.0.1'], ['fe80::1%eth0'], ['no address']])(
    'whose name stands for %s, were it only among others',
    async (...addresses) => {
      const guard = guardFor('webhook', [], standsFor(...addresses))
      await expect(checkTarget('https://example.com/', guard)).rejects.toMatchObject(fault('blocked'))
    },
  )

  test('whose name stands for nothing', async () => {
    const lost: Lookup = async () => {
      throw new Error('ENOTFOUND example.com at resolver 10.0.0.53')
    }
    for (const lookup of [lost, nowhere])
      await expect(
        checkTarget('https://example.com/', guardFor('webhook', [], lookup)),
      ).rejects.toMatchObject({
        ...fault('unresolvable'),
        message: 'The host name could not be resolved.',
      })
  })

  test.each(['8.8.8.8', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'but not where it is a public one: %s',
    async (address) => {
      const guard = guardFor('webhook', [], standsFor(address))
      await expect(checkTarget('https://example.com/', guard)).resolves.toMatchObject({
        addresses: [address],
      })
    },
  )

  test('unless operators allow its range, for this purpose alone', async () => {
    const entries = ['webhook=10.0.0.0/8', 'webhook=fd00::/8', 'upstream=192.168.0.0/16']
    const guard = guardFor('webhook', entries, standsFor('10.9.9.9', '8.8.8.8'))
    for (const url of [
      'http://10.0.0.1/',
      'http://[::ffff:10.0.0.1]/',
      'http://[fd00::1]/',
      'http://a.example/',
    ])
      await expect(checkTarget(url, guard)).resolves.toMatchObject({ addresses: expect.any(Array) })
    await expect(checkTarget('http://192.168.0.1/', guard)).rejects.toMatchObject(fault('blocked'))
    await expect(checkTarget('http://localhost/', guard)).rejects.toMatchObject(fault('blocked'))
  })
})

describe('a request', () => {
  test('goes to the address that was checked, whatever its name stands for by then', async () => {
    const [inside, outside] = [
      await givenServer('127.0.0.1', (_, response) => response.end('inside')),
      await givenServer('127.0.0.2', (_, response) => response.end('outside')),
    ]
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1']
    const changing: Lookup = async () => answers.splice(0, 1)
    const url = `http://changes.example:${outside.port}/`
    expect((await safeFetch(url, open(changing))).body.toString()).toBe('outside')
    expect(outside.asked[0]?.headers.host).toBe(`changes.example:${outside.port}`)
    await expect(safeFetch(`http://changes.example:${inside.port}/`, open(changing))).rejects.toMatchObject(
      fault('blocked'),
    )
    expect(inside.asked).toEqual([])
  })

  test('follows a redirect only on request, and never to a blocked address', async () => {
    const inside = await givenServer('127.0.0.1', (_, response) => response.end())
    const outside = await givenServer('127.0.0.2', (_, response) =>
      response.writeHead(302, { Location: inside.url }).end(),
    )
    expect(await safeFetch(outside.url, open())).toMatchObject({ status: 302 })
    await expect(safeFetch(outside.url, open(), { redirects: 5 })).rejects.toMatchObject(fault('blocked'))
    expect(inside.asked).toEqual([])
  })

  test('over TLS is led to no address without it, and to another with it', async () => {
    // What the certificate says is not what this is about.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const plain = await givenServer('127.0.0.2', (_, response) => response.end('plain'))
    const secure = await givenServer(
      '127.0.0.2',
      ({ url }, response) => {
        if (url === '/safe') response.end('safe')
        else response.writeHead(307, { Location: url === '/' ? '/safe' : plain.url }).end()
      },
      givenCertificate(),
    )
    const followed = { redirects: 5 }
    expect((await safeFetch(secure.url, open(), followed)).body.toString()).toBe('safe')
    const downwards = safeFetch(`${secure.url}down`, open(), { ...followed, method: 'POST' })
    await expect(downwards).rejects.toMatchObject(fault('redirect'))
    expect(await safeFetch(`${secure.url}down`, open(), { method: 'POST' })).toMatchObject({ status: 307 })
    expect(plain.asked).toEqual([])
    vi.unstubAllEnvs()
    await expect(safeFetch(secure.url, open(), followed)).rejects.toMatchObject(fault('tls'))
  })

  test('takes its credentials along only to the origin they are for', async () => {
    const other = await givenServer('127.0.0.2', (_, response) => response.end('other port'))
    const first = await givenServer('127.0.0.2', ({ url }, response) =>
      response.writeHead(307, { Location: url === '/' ? '/again' : other.url }).end(),
    )
    const headers = { Authorization: 'Bearer secret', Cookie: 'a=b', 'X-Plain': 'kept' }
    const body = Buffer.from('sent')
    const answer = await safeFetch(first.url, open(), { method: 'POST', headers, body, redirects: 2 })
    expect([answer.body.toString(), answer.url]).toEqual(['other port', other.url])
    expect(first.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
    ])
    expect(other.asked[0]).toMatchObject({ method: 'POST', headers: { 'x-plain': 'kept' } })
    expect(other.asked[0]?.headers).not.toHaveProperty('authorization')
    expect(other.asked[0]?.headers).not.toHaveProperty('cookie')
  })

  test('sends a stream as it is; a redirect is then the answer, and a stream that fails ends the request', async () => {
    const bodies: string[] = []
    const first = await givenServer('127.0.0.2', async (request, response) => {
      bodies.push(await text(request).catch(() => 'cut'))
      response.writeHead(307, { Location: '/elsewhere' }).end()
    })
    const send = (body: Readable) =>
      safeFetch(first.url, open(), { method: 'POST', headers: { 'Content-Length': '6' }, body, redirects: 2 })
    expect((await send(Readable.from([Buffer.from('abc'), Buffer.from('def')]))).status).toBe(307)
    expect(bodies).toEqual(['abcdef'])
    expect(first.asked).toHaveLength(1)
    async function* failing() {
      yield Buffer.from('abc')
      throw new Error('the source has failed')
    }
    await expect(send(Readable.from(failing()))).rejects.toMatchObject({ name: 'OutboundError' })
  })

  test('follows five redirects and no more', async () => {
    const endless = await givenServer('127.0.0.2', (_, response) =>
      response.writeHead(302, { Location: '/' }).end(),
    )
    await expect(safeFetch(endless.url, open(), { redirects: 50 })).rejects.toMatchObject(fault('redirect'))
    expect(endless.asked).toHaveLength(6)
  })

  test('has limits in time and size', async () => {
    const silent = await givenServer('127.0.0.2', () => undefined)
    const first = { firstByteMs: 50, totalMs: 60_000 }
    await expect(safeFetch(silent.url, open(), first)).rejects.toMatchObject(fault('timeout'))
    const endless = await givenServer('127.0.0.2', (_, response) => {
      const timer = setInterval(() => response.write('drip'), 5)
      response.on('close', () => clearInterval(timer))
    })
    await expect(safeFetch(endless.url, open(), { totalMs: 50 })).rejects.toMatchObject(fault('timeout'))
    const large = await givenServer('127.0.0.2', (_, response) => response.end('x'.repeat(100)))
    await expect(safeFetch(large.url, open(), { maxBytes: 99 })).rejects.toMatchObject(fault('too-large'))
    const cut = await safeFetch(large.url, open(), { maxBytes: 99, beyond: 'cut' })
    expect(cut.body.byteLength).toBe(99)
  })

  test('fails in words that tell nothing of the network', async () => {
    const rude = await givenServer('127.0.0.2', ({ socket }) => socket.end('not HTTP at all\r\n\r\n'))
    const gone = await givenServer('127.0.0.2', ({ socket }) => socket.destroy())
    const cases: [string, string][] = [
      [rude.url, 'bad-answer'],
      [gone.url, 'closed'],
      [gone.url.replace('http:', 'https:'), 'tls'],
      ['http://127.0.0.2:1/', 'unreachable'],
    ]
    for (const [url, name] of cases)
      await expect(safeFetch(url, open())).rejects.toMatchObject({
        ...fault(name),
        message: expect.not.stringMatching(/\d/),
      })
  })

  test('ends when its caller gives up, for the caller’s reason', async () => {
    const reason = new Error('the server stops')
    const silent = await givenServer('127.0.0.2', () => giveUp.abort(reason))
    const giveUp = new AbortController()
    await expect(safeFetch(silent.url, open(), { signal: giveUp.signal })).rejects.toBe(reason)
    await expect(safeFetch(silent.url, open(), { signal: giveUp.signal })).rejects.toBe(reason)
  })
})

describe('a streamed request', () => {
  const textOf = async (body: AsyncIterable<Buffer>) => {
    let text = ''
    for await (const chunk of body) text += chunk.toString()
    return text
  }

  test('gives an answer of any length as it comes, by way of redirects', async () => {
    const large = await givenServer('127.0.0.2', ({ url }, response) => {
      if (url === '/') response.writeHead(302, { Location: '/large' }).end('unread')
      else response.end('x'.repeat(3 * 1024 * 1024))
    })
    const answer = await safeStream(large.url, open(), { redirects: 1 })
    expect([answer.status, answer.url]).toEqual([200, `${large.url}large`])
    expect((await textOf(answer.body)).length).toBe(3 * 1024 * 1024)
  })

  test('fails when the sender falls silent, and not while the reader does', async () => {
    const slow = await givenServer('127.0.0.2', (_, response) => response.write('begun'))
    const { body } = await safeStream(slow.url, open(), { stallMs: 50 })
    const chunks = body[Symbol.asyncIterator]()
    expect((await chunks.next()).value?.toString()).toBe('begun')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(chunks.next()).rejects.toMatchObject(fault('timeout'))
  })

  test('fails when the connection breaks, and ends when it is closed or its caller gives up', async () => {
    const breaking = await givenServer('127.0.0.2', (_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half', () => response.destroy())
    })
    const broken = await safeStream(breaking.url, open())
    await expect(textOf(broken.body)).rejects.toMatchObject(fault('closed'))
    let ended = 0
    const endless = await givenServer('127.0.0.2', (_, response) => {
      response.write('begun')
      response.on('close', () => ended++)
    })
    const reason = new Error('enough')
    const giveUp = new AbortController()
    const first = await safeStream(endless.url, open(), { signal: giveUp.signal })
    giveUp.abort(reason)
    await expect(textOf(first.body)).rejects.toBe(reason)
    const second = await safeStream(endless.url, open())
    second.close()
    await expect.poll(() => ended).toBe(2)
  })
})

describe('behind a proxy', () => {
  test('names are left to the proxy, but for what no proxy should be asked for', async () => {
    const proxy = await givenServer('127.0.0.2', ({ url }, response) => response.end(`proxied ${url}`))
    vi.stubEnv('http_proxy', proxy.url)
    vi.stubEnv('no_proxy', 'direct.example')
    const guard = { ...open(nowhere), proxyFor: environmentProxy }
    const answer = await safeFetch('http://hub.example/api', guard)
    expect(answer.body.toString()).toBe('proxied http://hub.example/api')
    await expect(safeFetch('http://direct.example/', guard)).rejects.toMatchObject(fault('unresolvable'))
    for (const url of ['http://169.254.169.254/', 'http://localhost/', 'http://db.internal/'])
      await expect(safeFetch(url, guard)).rejects.toMatchObject(fault('blocked'))
  })
})
