// A proxy between a server and its upstream that records each request and fails those a test chooses.
import { createServer, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../fixtures/listen.mjs'

/**
 * Starts it before `upstream`, an address, which may be set later. Answers { url, upstream, asked, isDown, slowTo, spoil,
 * stop }: `asked` lists requests, each with the `status` and `answer`, headers, that came;
 * setting `isDown` breaks every connection, `slowTo` holds answers to so many bytes a second, `spoil` changes each chunk,
 * `meets` hears of each request before it goes on, `holds` of each chunk before the next one.
 */
export async function startBetween(upstream = '') {
  const between = {
    url: '',
    upstream,
    asked: [],
    isDown: false,
    slowTo: 0,
    spoil: undefined,
    meets: undefined,
    holds: undefined,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (asked, answer) => {
    const { method, url, headers } = asked
    const entry = { method, url, range: headers.range, credentials: headers.authorization, bytes: 0 }
    between.asked.push(entry)
    await between.meets?.(entry)
    // A caller that was killed meanwhile would leave the upstream with half a request.
    if (between.isDown || asked.destroyed) return void asked.destroy()
    const { host } = new URL(between.upstream)
    const forwarded = request(
      new URL(url, between.upstream),
      { method, headers: { ...headers, host } },
      async (got) => {
        Object.assign(entry, { status: got.statusCode, answer: got.headers })
        answer.writeHead(got.statusCode, got.headers)
        try {
          for await (const chunk of got) {
            if (answer.destroyed) break
            entry.bytes += chunk.length
            const sent = between.spoil ? between.spoil(chunk, entry) : chunk
            await new Promise((resolve) => answer.write(sent, resolve))
            await between.holds?.(entry)
            if (between.slowTo) await pause((chunk.length / between.slowTo) * 1000)
          }
          answer.end()
        } catch {
          answer.destroy()
        } finally {
          got.destroy()
        }
      },
    )
    forwarded.on('error', () => answer.destroy())
    asked.pipe(forwarded)
  })
  between.url = `http://127.0.0.1:${await listen(server)}`
  return between
}

/** Requests for the bytes of a file that were not a short range. */
export const bodiesOf = ({ asked }, path) =>
  asked.filter(({ method, url, bytes }) => method === 'GET' && url.includes(path) && bytes > 1024 * 1024)
