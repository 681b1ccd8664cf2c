import type { IncomingMessage } from 'node:http'

/** Chunks below this are small: each costs Node 2 µs, and a read of the socket may bring 11 000. */
const SMALL_BYTES = 1024
/** After so many small chunks other connections have their turn. */
const CHUNKS_IN_A_TURN = 1024
/** A body may begin with so many chunks of any size. */
const FREE_CHUNKS = 4096
/** Beyond them the average must be this many bytes. The shortest line of a commit, which clients send as one chunk, has 40. */
const MIN_AVERAGE_BYTES = 8

/**
 * Watches the chunks of a body in chunked coding. Of one that comes in many small chunks no more than some thousand are
 * read in one turn of the event loop; of one that comes byte by byte `refuse` is called, and the rest is dropped.
 */
export function watchChunks(incoming: IncomingMessage, refuse: () => void): void {
  const { socket } = incoming
  let chunks = 0
  let small = 0
  let bytes = 0
  let isRefused = false
  const push = incoming.push.bind(incoming)
  incoming.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
    if (isRefused && chunk !== null) return true
    if (chunk === null) return push(chunk, encoding)
    chunks++
    bytes += chunk.length
    if (chunks > FREE_CHUNKS && bytes < chunks * MIN_AVERAGE_BYTES) {
      isRefused = true
      refuse()
      return true
    }
    if (chunk.length < SMALL_BYTES && ++small % CHUNKS_IN_A_TURN === 0) {
      // Otherwise libuv reads the socket 32 times before it looks at another.
      socket.pause()
      setImmediate(() => socket.resume())
    }
    return push(chunk, encoding)
  }
}
