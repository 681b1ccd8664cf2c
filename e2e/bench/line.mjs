// A line of so many bytes a second from a port to a server: all that comes back shares it.
import { createServer, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [, , port, target, bytesPerSecond] = process.argv
/** What a switch holds ahead of time. */
const burstMs = 50
let paidAt = 0

async function take(bytes) {
  const now = performance.now()
  paidAt = Math.max(paidAt, now - burstMs) + (bytes / Number(bytesPerSecond)) * 1000
  if (paidAt > now) await pause(paidAt - now)
}

createServer((socket) => {
  const onward = connect(Number(target), '127.0.0.1')
  socket.pipe(onward)
  onward.on('data', async (chunk) => {
    onward.pause()
    await take(chunk.length)
    if (socket.destroyed || socket.write(chunk)) onward.resume()
    else socket.once('drain', () => onward.resume())
  })
  onward.on('end', () => socket.end())
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ])
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
}).listen(Number(port), '127.0.0.1')
