import { Hono } from 'hono'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Env } from '../../core/http/env.ts'
import { gzipJson } from './gzip-json.ts'

const long = { items: Array.from({ length: 200 }, (_, i) => `repo ${i}`) }
const app = new Hono<Env>()
app.use(gzipJson)
app.get('/long', (c) => c.json(long))
app.get('/short', (c) => c.json({ a: 1 }))
app.get('/tagged', (c) => c.json(long, 200, { ETag: '"1"' }))
app.get('/text', (c) => c.text('x'.repeat(5000)))
const encodingOf = async (path: string, accepted?: string) => {
  const answer = await app.request(
    path,
    accepted === undefined ? {} : { headers: { 'Accept-Encoding': accepted } },
  )
  return answer.headers.get('Content-Encoding')
}

test('long JSON is compressed for clients that take it, and is the same afterwards', async () => {
  const answer = await app.request('/long', { headers: { 'Accept-Encoding': 'br, gzip' } })
  expect(answer.headers.get('Content-Encoding')).toBe('gzip')
  expect(answer.headers.get('Vary')).toBe('Accept-Encoding')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('Content-Length')).toBe(String(bytes.length))
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(long)
})

test('what is short, tagged, no JSON or not wanted goes as it is', async () => {
  expect(await encodingOf('/long')).toBeNull()
  expect(await encodingOf('/long', 'gzip;q=0, identity')).toBeNull()
  for (const path of ['/short', '/tagged', '/text']) expect(await encodingOf(path, 'gzip'), path).toBeNull()
})
