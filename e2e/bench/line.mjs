// A line of so many bytes a second from a port to a server: all that comes back shares it.
import { createServer, connect } from 'node:net'
import { pipeline } from 'node:stream'
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

async function* held(chunks) {
  for await (const chunk of chunks) {
    await take(chunk.length)
    yield chunk
  }
}

const ignore = () => undefined
// Half-open: a server that has sent its answer closes before the line has passed it on.
createServer({ allowHalfOpen: true }, (socket) => {
  const onward = connect({ port: Number(target), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => onward.destroy()).pipe(onward)
  pipeline(onward, held, socket, ignore)
}).listen(Number(port), '127.0.0.1')
