// The reference of the resolver's CPU cost: a bare Hono application on the same HTTP server.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/', (c) => c.text('hello'))
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' })
