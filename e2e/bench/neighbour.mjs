// A caller who never rests: asks for one address on many connections until standard input ends.
import { Agent, request } from 'node:http'

const [url, token, connections] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const headers = { Authorization: `Bearer ${token}` }
/** How many answers of each status came. */
const answers = {}
const over = new AbortController()

/** @returns {Promise<void>} */
const ask = () =>
  new Promise((resolve, reject) => {
    const asking = request(url, { headers, agent }, (answer) => {
      answers[answer.statusCode] = (answers[answer.statusCode] ?? 0) + 1
      answer.resume()
      answer.once('end', resolve)
      answer.once('error', reject)
    })
    asking.once('error', reject)
    asking.end()
  })

async function lane() {
  while (!over.signal.aborted) await ask().catch(() => undefined)
}

process.stdin.resume()
process.stdin.once('end', () => over.abort())
process.stdout.write('ready\n')
await Promise.all(Array.from({ length: Number(connections) }, lane))
process.stdout.write(JSON.stringify(answers))
agent.destroy()
