// A proxy between the store and its clients that records requests and breaks those a test chooses.
import { createServer, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../fixtures/listen.mjs'

/** @typedef {import('node:http').IncomingMessage} Request */

const slowMs = 300
const body = (code) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>spoilt</Message></Error>`

/**
 * Each takes { req, res, pass }: `pass(more)` sends the request on, and its answer back as `more` says. None but
 * `latency` lets the client have its answer.
 */
export const faults = {
  latency: async ({ pass }) => {
    await pause(slowMs)
    pass()
  },
  /** The store takes the request, and no answer comes until the client disconnects. */
  stall: ({ pass }) => pass({ answer: () => undefined }),
  reset: ({ req }) => req.socket.resetAndDestroy(),
  /** The store has done the work, and the answer is lost. */
  'lost answer': ({ req, pass }) => pass({ answer: () => req.socket.resetAndDestroy() }),
  /** Our side of the connection ends after the headers; theirs may go on. */
  'half-close': ({ res, pass }) =>
    pass({
      answer: (answer) => {
        res.writeHead(answer.statusCode, answer.rawHeaders)
        res.flushHeaders()
        res.socket.end()
      },
    }),
  /** Half of the body, then the end. */
  truncated: ({ res, pass }) =>
    pass({
      answer: async (answer) => {
        const bytes = Buffer.concat(await answer.toArray())
        res.writeHead(answer.statusCode, answer.rawHeaders)
        res.write(bytes.subarray(0, bytes.length >> 1), () => res.socket?.end())
      },
    }),
  500: ({ req, res }) => {
    req.resume()
    res.writeHead(500, { 'Content-Type': 'application/xml' }).end(body('InternalError'))
  },
  503: ({ req, res }) => {
    req.resume()
    res.writeHead(503, { 'Content-Type': 'application/xml' }).end(body('SlowDown'))
  },
}

/**
 * A way to the server at `target`. `choose(req)` names the fault of a request, or nothing; a hold lets no answer through.
 */
export class FaultProxy {
  /** @type {URL} */
  target
  /** @type {import('node:http').Server} */
  server
  /** @type {string} */
  url
  /** @type {(req: Request) => string | undefined} */
  choose = () => undefined
  /**
   * Gets every answer: the request, and its status.
   * @type {(req: Request, status: number) => void}
   */
  heard = () => undefined
  /** How often each fault was met. */
  met = {}
  #released = Promise.resolve()
  #release = () => undefined
  /** @type {(req: Request) => boolean} */
  #isMeant = () => false
  /** @type {string[]} */
  held = []

  static async start(target) {
    const proxy = new FaultProxy()
    proxy.target = new URL(target)
    proxy.server = createServer({ requestTimeout: 0 }, (req, res) => void proxy.#serve(req, res))
    proxy.url = `http://127.0.0.1:${await listen(proxy.server)}`
    return proxy
  }

  /** Lets no answer of `isMeant(req)` through until `release`. `held` has the addresses that wait. */
  hold(isMeant) {
    this.held = []
    this.#released = new Promise((resolve) => (this.#release = () => resolve()))
    this.#isMeant = isMeant
  }

  release() {
    this.#isMeant = () => false
    this.#release()
  }

  stop() {
    this.release()
    this.server.close()
    this.server.closeAllConnections()
  }

  async #serve(req, res) {
    const name = this.choose(req)
    const pass = (more = {}) => this.#pass(req, res, more)
    res.on('error', () => undefined)
    req.on('error', () => undefined)
    if (name === undefined) return pass()
    this.met[name] = (this.met[name] ?? 0) + 1
    await faults[name]({ req, res, pass })
  }

  #pass(req, res, /** @type {{ answer?: (answer: Request) => unknown }} */ { answer: tell }) {
    const { method, url: path, rawHeaders: headers } = req
    const { hostname: host, port } = this.target
    const sent = request({ host, port, method, path, headers, agent: false })
    sent.on('error', () => res.destroy())
    res.on('close', () => sent.destroy())
    sent.on('response', async (answer) => {
      answer.on('error', () => res.destroy())
      this.heard(req, answer.statusCode)
      if (this.#isMeant(req)) {
        this.held.push(path)
        await this.#released
      }
      if (tell) return tell(answer)
      res.writeHead(answer.statusCode, answer.rawHeaders)
      answer.pipe(res)
    })
    req.pipe(sent)
  }
}
