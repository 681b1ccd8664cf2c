import { OpenAPIHono } from '@hono/zod-openapi'
import { once } from 'node:events'
import { request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from './env.ts'
import { limitBody } from './limit-body.ts'
import { listen } from './listen.ts'
import { Problem } from '../problems/index.ts'

let server: Server

beforeAll(async () => {
  const app = new OpenAPIHono<Env>()
  app.onError((error, c) => c.text(error instanceof Problem ? error.code : String(error), 400))
  app.use(limitBody(10))
  app.all('*', async (c) => c.text(`${c.req.header('X-Kept') ?? ''} ${await c.req.text()}`))
  server = await listen(app, '127.0.0.1:0')
})
afterAll(() => server.close())

/** Sends the chunks as they are, in chunked coding unless a length is declared or there are none. */
async function send(method: string, chunks: string[], headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo
  const call = request({ port, method, headers: { 'X-Kept': 'kept', ...headers }, agent: false })
  for (const chunk of chunks) call.write(chunk)
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return text(answer)
}

test('a DELETE without a body passes', async () => {
  expect(await send('DELETE', [])).toBe('kept ')
})

test('a chunked body within the limit arrives whole, with its headers', async () => {
  expect(await send('POST', ['12345', '67890'])).toBe('kept 1234567890')
})

test('a body with a declared length within the limit arrives whole', async () => {
  expect(await send('POST', ['1234567890'], { 'Content-Length': '10' })).toBe('kept 1234567890')
})

test('a chunked body above the limit is refused', async () => {
  expect(await send('POST', ['12345', '67890', '1'])).toBe('body-too-large')
})

test('a declared length above the limit is refused', async () => {
  expect(await send('POST', ['12345678901'], { 'Content-Length': '11' })).toBe('body-too-large')
})
