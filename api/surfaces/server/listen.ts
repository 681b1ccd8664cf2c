import { createAdaptorServer } from '@hono/node-server'
import type { IncomingMessage, Server } from 'node:http'
import { noteArrival, turnToBegin } from '../../platform/flow/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { connectionLimits, limitConnections, type ConnectionLimits } from './connections.ts'
import type { App } from '../../core/http/env.ts'
import { asGet } from '../../core/http/head.ts'
import { watchChunks } from './tiny-chunks.ts'
import { answerClientError, bareProblem, rawProblem } from './raw-problem.ts'

/** Host and port of a listen address such as `:8080`, `127.0.0.1:0` or `[::1]:8080`; no host means every address. */
function listenAddress(listen: string): { host: string | undefined; port: number } {
  const at = listen.lastIndexOf(':')
  const host = listen.slice(0, at).replace(/^\[|\]$/g, '')
  return { host: host || undefined, port: Number(listen.slice(at + 1)) }
}

/**
 * What is wrong with the `Host` headers, if anything. Node takes the first of several, a proxy before us perhaps the last
 * (RFC 9112 §3.2). HTTP/1.0 knows none: health checks of load balancers send none.
 */
function hostFault({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  if (hosts > 1) return 'The request has more than one Host header. Send one.'
  return hosts === 0 && httpVersion === '1.1' ? 'The Host header is missing.' : undefined
}

/** Health checks are answered at once; everything else begins in turns, so that a burst delays others by one turn. */
const isHealthCheck = ({ url }: IncomingMessage): boolean => url === '/healthz' || url === '/readyz'

/** Whose turn a request takes. It is who they say they are: checking that is part of what waits for its turn. */
const apparentCaller = ({ headers, socket }: IncomingMessage): string =>
  headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? ''

export interface ListenOptions {
  /** Where the pages of problems are. */
  publicUrl?: string
  /** Whether an address is one of `server.trusted_proxies`. */
  isProxy?: (remoteAddress: string) => boolean
  limits?: ConnectionLimits
}

/**
 * Connections that the kernel holds until they are accepted; Linux caps it at net.core.somaxconn, 4096 since 5.4. With 511,
 * which Node asks for, a burst of 1000 connections had some of other callers wait for 63 s.
 */
const backlog = 4096

/**
 * Serves `app` on Node's HTTP server. Node's defaults would cut an upload after 300 s and race proxies
 * that keep connections; stalled bodies are ended by the readers of bodies (reliability.md §14).
 */
export async function listen(
  app: Pick<App, 'fetch'>,
  address: string,
  { publicUrl = `http://${address}`, isProxy = () => false, limits = connectionLimits() }: ListenOptions = {},
): Promise<Server> {
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const incoming = env.incoming as IncomingMessage
      if (incoming.headers['transfer-encoding'] !== undefined)
        watchChunks(incoming, () => answerClientError(new Error('tiny chunks'), incoming.socket, publicUrl))
      const fault = hostFault(incoming)
      if (fault) return bareProblem(new Problem('invalid-request', { detail: fault }), publicUrl)
      const turn = isHealthCheck(incoming) ? undefined : turnToBegin(apparentCaller(incoming))
      return turn ? turn.then(() => app.fetch(asGet(request), env)) : app.fetch(asGet(request), env)
    },
    // Of requests without `Host`.
    hostname: 'localhost',
    serverOptions: {
      requestTimeout: 0,
      keepAliveTimeout: 75_000,
      headersTimeout: 80_000,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
  }) as Server
  server.on('clientError', (error, socket) => answerClientError(error, socket, publicUrl))
  const tooMany = () =>
    new Problem('temporarily-unavailable', {
      detail: 'There are too many connections, from this address or in all. Close some or retry in 5 s.',
      retryAfterS: 5,
    })
  limitConnections(server, { ...limits, isProxy, refusal: () => rawProblem(tooMany(), publicUrl) })
  server.on('connection', noteArrival)
  const { host, port } = listenAddress(address)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, backlog, ...(host === undefined ? {} : { host }) }, resolve)
  })
  return server
}
