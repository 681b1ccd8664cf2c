// What one caller notices of a crowd: slow clients, idle ones, and a neighbour who never rests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dial, hangUp, headOf } from '../hostile/wire.mjs'
import { mib, residentBytes, row, run } from './measure.mjs'
import { hubClient, lfsFile, textFile, writeFile as writeRandom } from './seed.mjs'

const rounds = 200
/** Beside a busy neighbour each takes a second. */
const busyRounds = 20
/** Half of them read, half send. */
const slowClients = 500
const idleClients = 3000
/** A server lets an address have a quarter of 8192 connections. */
const addresses = ['127.0.0.2', '127.0.0.3']
/** Four times what one class of requests takes at once. */
const neighbourConnections = 1000
const mebibyte = 2 ** 20

const p95 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]
const ms = (value) => `${value.toFixed(1)} ms`

/** A person with a repo that holds a small and a large file. */
async function begin(server, dir) {
  const person = await server.newPerson('crowd')
  const token = await person.token()
  const repo = `${person.username}/crowd`
  const hub = hubClient(server.url, token)
  await hub.create(repo)
  const big = join(dir, 'crowd.bin')
  const oid = await writeRandom(big, 2)
  const { objects } = await hub.batch(repo, [{ oid, size: 2 * mebibyte }])
  await run('curl', ['-sSf', '-T', big, objects[0].actions.upload.href])
  await hub.commit(repo, 'all', [textFile('small.txt', 'small'), lfsFile('large.bin', oid, 2 * mebibyte)])
  return { server, token, repo }
}

/**
 * One answer, over the connection that is kept from the last.
 * @returns {Promise<void>}
 */
function get(agent, url, token) {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, headers: { Authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${answer.statusCode}`)),
      )
      answer.once('error', reject)
    })
    asking.once('error', reject)
    asking.end()
  })
}

/** Milliseconds that the info of a repo and a small file take together, p95, for one caller with one connection. */
async function latency({ server, token, repo }, count = rounds) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    await get(agent, `${server.url}/api/models/${repo}`, token)
    await get(agent, `${server.url}/${repo}/resolve/main/small.txt`, token)
    times.push(performance.now() - start)
    await pause(5)
  }
  agent.destroy()
  return p95(times)
}

/** Opens connections a few at a time: the kernel holds 511 until they are accepted. */
async function dialAll(port, count) {
  const sockets = []
  for (let i = 0; i < count; i += 50)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, n) => dial(port, addresses[(i + n) % addresses.length])),
      )),
    )
  return sockets
}

/** Half of 500 clients read a file of 2 MiB, half send a commit, at one byte a second; the figure of memory is theirs alone. */
async function slow(scene) {
  const { server, token, repo } = scene
  const port = Number(new URL(server.url).port)
  const bearer = { Authorization: `Bearer ${token}` }
  const json = { 'Content-Type': 'application/x-ndjson', 'Transfer-Encoding': 'chunked', ...bearer }
  const alone = await latency(scene)
  const before = residentBytes(server.pid)
  const sockets = await dialAll(port, slowClients)
  const [readers, senders] = [sockets.slice(0, slowClients / 2), sockets.slice(slowClients / 2)]
  for (const socket of process.env.NOREAD ? [] : readers) {
    socket.pause()
    socket.write(headOf('GET', `/${repo}/resolve/main/large.bin`, bearer))
  }
  for (const socket of process.env.NOSEND ? [] : senders) {
    socket.resume()
    socket.write(headOf('POST', `/api/models/${repo}/commit/main`, json))
  }
  const beat = setInterval(() => {
    for (const socket of readers) socket.read(1)
    for (const socket of senders) if (socket.writable) socket.write('1\r\n{\r\n')
  }, 1000)
  await pause(2000)
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, residentBytes(server.pid))), 100)
  const crowded = await latency(scene)
  clearInterval(watch)
  const open = sockets.filter((socket) => !socket.closed).length
  clearInterval(beat)
  await hangUp(sockets)
  if (open < slowClients) throw new Error(`${slowClients - open} slow clients were put out`)
  return { alone, crowded, more: peak - before }
}

async function idleSockets(scene) {
  const port = Number(new URL(scene.server.url).port)
  const alone = await latency(scene)
  const sockets = await dialAll(port, idleClients)
  for (const socket of sockets) socket.resume()
  const crowded = await latency(scene)
  const open = sockets.filter((socket) => !socket.closed).length
  await hangUp(sockets)
  return { alone, crowded, open }
}

/** Another person asks for lists on 1000 connections, as fast as they are answered. */
async function neighbour(scene) {
  const { server } = scene
  const other = await server.newPerson('neighbour')
  const script = fileURLToPath(new URL('neighbour.mjs', import.meta.url))
  const args = [script, `${server.url}/api/models?limit=50&full=true`, await other.token()]
  const alone = await latency(scene)
  const child = spawn(process.execPath, [...args, String(neighbourConnections)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (piece) => (said += piece))
  await once(child.stdout, 'data')
  await pause(2000)
  const crowded = await latency(scene, busyRounds)
  child.stdin.end()
  await once(child, 'close')
  return { alone, crowded, answers: JSON.parse(said.replace('ready\n', '')) }
}

const timesRow = (what, { alone, crowded }) => {
  const figure = crowded / alone
  return row(what, ms(crowded), `alone ${ms(alone)}`, figure, '≤ 2 ×', figure <= 2)
}

/** What a caller notices of others, by the p95 of two reads. */
export async function* crowdRows(server, dir) {
  const scene = await begin(server, dir)
  await latency(scene)
  const slowOnes = await slow(scene)
  yield timesRow('two reads while 500 clients read and send one byte a second, p95', slowOnes)
  const more = slowOnes.more / mebibyte
  yield row('memory of 500 such clients', `+${mib(slowOnes.more)}`, '', more, '≤ +64 MiB', more <= 64)
  yield timesRow('two reads while 3 000 connections are idle, p95', await idleSockets(scene))
  const busy = await neighbour(scene)
  const count = Object.entries(busy.answers).map(([status, answers]) => `${answers} × ${status}`)
  yield {
    ...row(
      'two reads while one other person asks on 1 000 connections, p95',
      ms(busy.crowded),
      `alone ${ms(busy.alone)}`,
      busy.crowded,
      '≤ 500 ms',
      busy.crowded <= 500,
    ),
    note: `The person with 1 000 connections was answered ${count.join(', ')}.`,
  }
}

export { begin, latency, slow, neighbour, idleSockets }
