// Traffic that only attacks send: single bytes, bodies that stop, many connections at once.
import { connect } from 'node:net'

/** Resolves at the event, whatever errors come before: `once` of node:events rejects then. */
const happened = (socket, event) => new Promise((resolve) => socket.once(event, resolve))

/** A connection whose errors are of no interest; resolves when it is open, refused or reset. */
export async function dial(port, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  await Promise.race([happened(socket, 'connect'), happened(socket, 'close')])
  return socket
}

/** The head of a request with these headers. */
export function headOf(method, path, headers) {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Collects what the server says, until it closes the connection or `withinMs` pass. */
export function answerOn(socket, withinMs) {
  return new Promise((resolve) => {
    const pieces = []
    let length = 0
    const done = () => {
      clearTimeout(timer)
      const text = Buffer.concat(pieces).toString('latin1')
      const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
      resolve({ status, head, body, length, isClosed: socket.closed })
    }
    const timer = setTimeout(done, withinMs)
    socket.on('data', (piece) => {
      length += piece.length
      if (length < 1_000_000) pieces.push(piece)
    })
    socket.once('close', done)
  })
}

/** Sends all of it as fast as the server takes it, as long as the connection lasts. */
export async function pour(socket, pieces) {
  const closed = happened(socket, 'close')
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return
    if (!socket.write(piece)) await Promise.race([happened(socket, 'drain'), closed])
  }
}

/** `count` chunks of one byte each, in chunked coding, a thousand in a piece. */
export function* oneByteChunks(count, byte = ' ') {
  const thousand = Buffer.from(`1\r\n${byte}\r\n`.repeat(1000))
  for (let sent = 0; sent < count; sent += 1000) yield thousand
}

/** Closes connections one by one and waits until they are. */
export async function hangUp(sockets) {
  for (const socket of sockets) {
    if (socket.closed) continue
    const closed = happened(socket, 'close')
    socket.destroy()
    await closed
  }
}
