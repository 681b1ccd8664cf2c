import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import type { Lookup } from '../../platform/net/index.ts'
import type { World } from '../../testing.ts'
import { createWebhook, type NewWebhook } from './settings.ts'
import { webhookDeliver } from './deliver.ts'
import { findDeliveries, type DeliveryRow, type Webhook } from './queries.ts'

/** A message as it arrived. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** What a receiver says to a message. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A real server that takes deliveries, on an address that the world's configuration allows. */
export interface Receiver {
  url: string
  port: number
  received: Received[]
  reply: (message: Received) => Reply | Promise<Reply>
}

/** Starts a receiver before the tests of this block; each test finds it empty, and answering 200. */
export function useReceiver(world: World, address = '127.0.0.1'): Receiver {
  const receiver: Receiver = { url: '', port: 0, received: [], reply: () => ({ status: 200 }) }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const message = { path: request.url ?? '', headers: request.headers, body }
      receiver.received.push(message)
      void Promise.resolve(receiver.reply(message)).then(({ status, headers, body: text }) =>
        response.writeHead(status, headers).end(text),
      )
    })
  })
  beforeAll(async () => {
    const { security } = world.deps.config
    security.outbound_allow = [...security.outbound_allow, `webhook=${address}`]
    server.listen(0, address)
    await once(server, 'listening')
    receiver.port = (server.address() as AddressInfo).port
    receiver.url = `http://${address}:${receiver.port}/hook`
  })
  beforeEach(() => {
    receiver.received.length = 0
    receiver.reply = () => ({ status: 200 })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

/** A webhook of `owner`'s, by default on everything but jobs in their own namespace. */
export async function givenWebhook(
  world: World,
  owner: UserActor,
  more: Partial<NewWebhook> & Pick<NewWebhook, 'url'>,
  lookup?: Lookup,
): Promise<{ webhook: Webhook; secret: string }> {
  const wanted: NewWebhook = {
    watched: [{ ns: owner.username }],
    events: ['repo', 'repo.content', 'repo.config', 'discussion', 'discussion.comment'],
    ...more,
  }
  return createWebhook(world.ctx(owner), wanted, lookup)
}

/** Makes every attempt that is due by the world's clock. */
export const deliverDue = (world: World, lookup?: Lookup): Promise<void> =>
  runJobs(world.deps, [webhookDeliver(lookup)])

/** A webhook's deliveries, newest first. */
export const deliveriesOf = (world: World, { id }: { id: string }): Promise<DeliveryRow[]> =>
  findDeliveries(world.db, id, { limit: 500 })
