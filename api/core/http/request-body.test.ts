import { OpenAPIHono } from '@hono/zod-openapi'
import { once } from 'node:events'
import { request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous } from '../access/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import type { Env } from './env.ts'
import { listen } from '../../surfaces/server/listen.ts'
import { readBody, type BodyLimit } from './request-body.ts'

const KIB = 1024
const MAX_REQUEST_BODY = 2 * KIB * KIB

const limits: Record<string, BodyLimit> = {
  default: {},
  small: { size: 'small' },
  usual: { size: 'usual' },
  admitted: { admit: async () => undefined },
  refused: {
    admit: async () => {
      throw new Problem('repo-not-found')
    },
  },
}

eachDatabase('a body that is read into memory', (world) => {
  let server: Server
  beforeAll(async () => {
    const user = await givenUser(world, 'sender')
    const app = new OpenAPIHono<Env>()
    app.onError((error, c) => c.text(error instanceof Problem ? error.code : String(error), 400))
    app.post('/:who/:limit', async (c) => {
      const ctx = world.ctx(c.req.param('who') === 'user' ? user : undefined)
      const config = { ...ctx.config, server: { ...ctx.config.server, max_request_body: MAX_REQUEST_BODY } }
      c.set('ctx', { ...ctx, config, ...(c.req.param('who') === 'user' ? {} : { actor: anonymous }) })
      return c.text(String((await readBody(c, limits[c.req.param('limit')])).length))
    })
    server = await listen(app, '127.0.0.1:0')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Sends so many bytes, in chunked coding unless a length is declared. */
  async function send(path: string, bytes: number, { isChunked = false, type = {} } = {}): Promise<string> {
    const { port } = server.address() as AddressInfo
    const framing = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': bytes }
    const headers = { ...framing, ...type }
    const call = request({ port, path, method: 'POST', headers, agent: false })
    call.on('error', () => undefined)
    call.end(Buffer.alloc(bytes))
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return text(answer)
  }

  test.each([
    ['/anonymous/default', 64 * KIB],
    ['/anonymous/usual', KIB * KIB],
    ['/user/default', KIB * KIB],
    ['/user/small', 64 * KIB],
    ['/user/admitted', MAX_REQUEST_BODY],
  ])('%s takes %d bytes, and no more', async (path, most) => {
    for (const isChunked of [false, true]) {
      expect(await send(path, most, { isChunked })).toBe(String(most))
      expect(await send(path, most + 1, { isChunked })).toBe('body-too-large')
    }
  })

  test('access is checked before a body that may be large, and not for a small one', async () => {
    expect(await send('/user/refused', 1000)).toBe('1000')
    expect(await send('/user/refused', KIB * KIB + 1)).toBe('repo-not-found')
    expect(await send('/user/refused', 1000, { isChunked: true })).toBe('repo-not-found')
  })

  test('a compressed body is refused', async () => {
    const type = { 'Content-Encoding': 'gzip' }
    expect(await send('/user/usual', 100, { type })).toBe('unsupported-media-type')
  })
})
