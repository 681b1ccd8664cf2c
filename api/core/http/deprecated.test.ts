import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { createRoute, empty } from './contract.ts'
import type { Env } from './env.ts'

const route = (deprecation?: { since: string; sunset: string; link: string }) =>
  createRoute({
    method: 'get',
    path: '/old',
    operationId: 'old',
    responses: { 204: empty('done') },
    ...(deprecation && { deprecation }),
  })

test('an operation that will go says so in its answers and in the document', async () => {
  const app = new OpenAPIHono<Env>()
  const deprecation = { since: '2026-12-01', sunset: '2027-06-01', link: 'https://example.org/new' }
  app.openapi(route(deprecation), (c) => c.body(null, 204))
  const { headers } = await app.request('/old')
  expect(headers.get('Deprecation')).toBe('@1796083200')
  expect(headers.get('Sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT')
  expect(headers.get('Link')).toBe('<https://example.org/new>; rel="deprecation"')
  const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'test', version: '1' } })
  expect(document.paths?.['/old']?.get?.deprecated).toBe(true)
})

test('others say nothing', async () => {
  const app = new OpenAPIHono<Env>()
  app.openapi(route(), (c) => c.body(null, 204))
  expect((await app.request('/old')).headers.has('Deprecation')).toBe(false)
})
