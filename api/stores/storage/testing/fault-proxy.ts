import { once } from 'node:events'
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that passes; `n` counts from 1. */
export interface Passing {
  n: number
  method: string
  /** Path and query. */
  url: string
}

/**
 * `500` and `503` answer in the server's place. `reset` cuts before the server hears of it, `lost` after it has done
 * what was asked. `stall` never answers, `halt` falls silent in the middle of the answer, `truncate` closes there and
 * `half-close` ends the answer's side of the connection there. `slow` answers late.
 */
export type WireFault =
  | '500'
  | '503'
  | 'reset'
  | 'lost'
  | 'stall'
  | 'halt'
  | 'truncate'
  | 'half-close'
  | 'slow'

const LATE_MS = 50

/** A proxy in front of an S3 server that goes wrong by plan. */
export interface FaultProxy {
  url: string
  /** Everything that was asked, in order. */
  asked: Passing[]
  close(): Promise<void>
}

export async function openFaultProxy(
  target: string,
  plan: (passing: Passing) => WireFault | undefined,
): Promise<FaultProxy> {
  const asked: Passing[] = []
  const agent = new Agent({ keepAlive: true })
  const server = createServer((from, to) => {
    const passing = { n: asked.length + 1, method: from.method ?? '', url: from.url ?? '' }
    asked.push(passing)
    void pass(from, to, plan(passing))
  })
  const pass = async (from: IncomingMessage, to: ServerResponse, fault: WireFault | undefined) => {
    if (fault === 'reset') return from.socket.resetAndDestroy()
    if (fault === 'stall') return
    if (fault === '500' || fault === '503') {
      from.resume()
      to.writeHead(Number(fault), { 'Content-Type': 'application/xml' }).end(sorry(fault))
      return
    }
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    // The signature covers the host that the client asked, so it stays.
    const { hostname, port } = new URL(target)
    const options: RequestOptions = { hostname, port, agent, path: from.url, headers: from.headers }
    const onward = request({ ...options, method: from.method }, (answer) => {
      deliver(answer, to, fault).catch(() => to.destroy())
    })
    onward.on('error', () => to.destroy())
    from.pipe(onward)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await once(server, 'close')
    },
  }
}

function sorry(fault: '500' | '503'): string {
  const code = fault === '500' ? 'InternalError' : 'SlowDown'
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>by plan</Message></Error>`
}

async function deliver(
  answer: IncomingMessage,
  to: ServerResponse,
  fault: WireFault | undefined,
): Promise<void> {
  const chunks: Buffer[] = []
  if (fault === undefined || fault === 'slow') {
    to.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(to)
    return
  }
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  if (fault === 'lost') return to.socket?.resetAndDestroy() && undefined
  to.writeHead(answer.statusCode ?? 500, answer.headers)
  to.flushHeaders()
  to.write(body.subarray(0, body.length >> 1))
  if (fault === 'truncate') setTimeout(() => to.destroy(), LATE_MS)
  if (fault === 'half-close') setTimeout(() => to.socket?.end(), LATE_MS)
}
