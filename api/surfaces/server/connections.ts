import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { ipKey } from '../../rooms/auth/index.ts'
import { plainAddress } from './origin.ts'

type Socket = IncomingMessage['socket']

/** More would take more memory than a small server has: an idle connection costs some 10 KiB, one with a request 40. */
const MAX_CONNECTIONS = 8192
/** What a process may have open where the system does not say, as POSIX asks for. */
const USUAL_OPEN_FILES = 1024
/** An address with fewer is let in where the server is full: health checks, and people with a browser. */
const FEW = 8
/** Places for those. */
const RESERVED = 64
/** Refused connections that may wait until their client has read why. */
const MAX_REFUSALS = 64
const REFUSAL_MS = 1000
/** Idle connections are looked for so often at most. */
const SWEEP_MS = 1000

/** How many connections a server takes at once. */
export interface ConnectionLimits {
  total: number
  perAddress: number
}

interface Door {
  isProxy: (remoteAddress: string) => boolean
  /** What is written to a connection that is refused. */
  refusal: () => string
}

/** The number of files this process may have open. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return Number(soft ?? USUAL_OPEN_FILES)
  } catch {
    return USUAL_OPEN_FILES
  }
}

/**
 * Half of the files a process may have open are for connections, the rest for the database, the blob store and git. One
 * address has a quarter of them: 256 at least, which is more than a busy office or 64 workers of a client use, where
 * there are so many.
 */
export function connectionLimits(openFiles = openFilesLimit()): ConnectionLimits {
  const total = Math.min(MAX_CONNECTIONS, Math.floor(openFiles / 2))
  return { total, perAddress: Math.min(Math.max(256, Math.floor(total / 4)), Math.floor(total * 0.75)) }
}

/**
 * Takes connections up to the limits: beyond them `refusal` is written and the connection closed. Trusted proxies, by whom
 * all clients come, are limited by the total alone. When the server is full, connections that wait for a next request are
 * closed, and an address with few connections still gets one.
 */
export function limitConnections(
  server: Server,
  { total, perAddress, isProxy, refusal }: ConnectionLimits & Door,
): void {
  const byAddress = new Map<string, number>()
  let open = 0
  let sweptAt = -Infinity
  const refusals = new Set<Socket>()

  /** Node takes back the connections that wait for a next request; they close in this turn of the event loop. */
  const sweep = () => {
    if (performance.now() - sweptAt < SWEEP_MS) return
    sweptAt = performance.now()
    server.closeIdleConnections()
  }
  const mayEnter = (held: number, most: number): boolean => {
    if (held >= most) return false
    if (open < total) return true
    sweep()
    return held < FEW && open < total + Math.min(RESERVED, total / 4)
  }
  const refuse = (socket: Socket) => {
    socket.on('error', () => undefined)
    if (refusals.size >= MAX_REFUSALS) return void socket.destroy()
    refusals.add(socket)
    const timer = setTimeout(() => socket.destroy(), REFUSAL_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      refusals.delete(socket)
    })
    // What the client has sent is read and dropped: a reset would take the refusal from it.
    socket.resume().end(refusal())
  }
  const enter = (socket: Socket, key: string) => {
    open++
    byAddress.set(key, (byAddress.get(key) ?? 0) + 1)
    socket.once('close', () => {
      open--
      const left = (byAddress.get(key) ?? 1) - 1
      if (left > 0) byAddress.set(key, left)
      else byAddress.delete(key)
    })
  }

  const serve = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const key = ipKey(plainAddress(remoteAddress))
    if (!mayEnter(byAddress.get(key) ?? 0, isProxy(remoteAddress) ? total : perAddress)) return refuse(socket)
    enter(socket, key)
    for (const listener of serve) listener.call(server, socket)
  })
}
