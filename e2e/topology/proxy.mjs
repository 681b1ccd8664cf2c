// A minimal reverse proxy: round robin, streams both ways, sends X-Forwarded-*. A target that is not ready comes last, and one
// that takes no connection is skipped; the client repeats a request that was cut.
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { listen } from '../fixtures/listen.mjs'

const checkEveryMs = 200

/** Serves at `port` of the loopback for the ports of `targets`, which may come and go. */
export async function startProxy(targets, port = 0) {
  let turn = 0
  const unready = new Set()
  const check = async (target) => {
    const answer = await fetch(`http://127.0.0.1:${target}/readyz`, { signal: AbortSignal.timeout(2000) })
    await answer.body?.cancel()
    if (answer.status === 503) unready.add(target)
    else unready.delete(target)
  }
  // One that does not answer is left to those who connect.
  const checks = setInterval(() => targets.forEach((each) => check(each).catch(() => {})), checkEveryMs)
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 75_000 }, (req, res) => {
    const order = targets.map((_, i) => targets[(turn + i) % targets.length])
    turn++
    order.sort((a, b) => Number(unready.has(a)) - Number(unready.has(b)))
    forward(req, res, order).catch(() => res.destroy())
  })
  const stop = () => {
    clearInterval(checks)
    server.close()
    server.closeAllConnections()
  }
  return { port: await listen(server, port), stop }
}

async function forward(req, res, ports) {
  const socket = await firstOf(ports)
  if (!socket) return res.writeHead(502).end('no server is there\n')
  const { method, url: path } = req
  // Without an agent the connection serves one request, so a server that died between two cannot spoil one.
  const sent = request({ method, path, headers: forwarded(req), createConnection: () => socket })
  sent.on('response', (answer) => {
    res.writeHead(answer.statusCode, answer.statusMessage, withoutHop(answer.rawHeaders))
    answer.pipe(res)
    answer.on('error', () => res.destroy())
  })
  sent.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end('the server has gone\n')))
  res.on('close', () => sent.destroy())
  req.on('error', () => sent.destroy())
  req.pipe(sent)
}

async function firstOf(ports) {
  for (const port of ports) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (isOpen) return socket
  }
}

const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'expect', 'upgrade'])

const pairsOf = (raw) => raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]]] : []))

const withoutHop = (raw) =>
  pairsOf(raw)
    .filter(([name]) => !hopByHop.has(name.toLowerCase()))
    .flat()

/** As nginx's `$proxy_add_x_forwarded_for` and its kin. */
function forwarded({ rawHeaders, headers, socket }) {
  const before = headers['x-forwarded-for']
  const kept = pairsOf(withoutHop(rawHeaders))
    .filter(([name]) => !/^x-forwarded-/i.test(name))
    .flat()
  const hops = `${before ? `${before}, ` : ''}${socket.remoteAddress}`
  return [
    ...kept,
    'X-Forwarded-For',
    hops,
    'X-Forwarded-Proto',
    'http',
    'X-Forwarded-Host',
    headers.host ?? '',
    'Connection',
    'close',
  ]
}
