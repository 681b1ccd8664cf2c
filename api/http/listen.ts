import { createAdaptorServer } from '@hono/node-server'
import type { Server } from 'node:http'
import type { App } from './env.ts'
import { asGet } from './head.ts'

/** Host and port of a listen address such as `:8080`, `127.0.0.1:0` or `[::1]:8080`; no host means every address. */
function listenAddress(listen: string): { host: string | undefined; port: number } {
  const at = listen.lastIndexOf(':')
  const host = listen.slice(0, at).replace(/^\[|\]$/g, '')
  return { host: host || undefined, port: Number(listen.slice(at + 1)) }
}

/** Node takes the first of several `Host` headers, a proxy before us perhaps the last (RFC 9112 §3.2). */
function namesTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/**
 * Serves `app` on Node's HTTP server. Node's defaults would cut an upload after 300 s and race proxies that keep
 * connections; stalled bodies are ended by the readers of bodies (reliability.md §14).
 */
export async function listen(app: Pick<App, 'fetch'>, address: string): Promise<Server> {
  const server = createAdaptorServer({
    fetch: (request, env) =>
      namesTwoHosts(env.incoming.rawHeaders)
        ? new Response(null, { status: 400 })
        : app.fetch(asGet(request), env),
    // Of requests without `Host`, which only HTTP/1.0 may send: health checks of load balancers do.
    hostname: 'localhost',
    serverOptions: { requestTimeout: 0, keepAliveTimeout: 75_000, headersTimeout: 80_000 },
  }) as Server
  const { host, port } = listenAddress(address)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve)
  })
  return server
}
