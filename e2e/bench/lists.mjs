// Pages of lists over 100 000 repos with all their facets, while commits land; and how quickly files are read.
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds, row, seconds } from './measure.mjs'
import { hubClient, textFile } from './seed.mjs'

const rounds = 200
/** Pages without commits, of which the CPU time is taken. */
const quietRounds = 40
const p95 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] * 1000
const ms = (value) => `${value.toFixed(1)} ms`

const filters = [
  'task=text-generation&library=transformers&format=safetensors',
  'task=text-classification&licence=mit&format=pytorch',
  'format=gguf&quant=q4_k_m&params_max=10000000000',
  'library=diffusers&licence=apache-2.0&language=l0,l1',
]

/** The loop of a server that was watched since `loopDelay` was last asked. */
function loopRow(what, { p99, max }, meanwhile) {
  return row(
    `event loop late while ${what}, p99`,
    ms(p99),
    `at most ${ms(max)}; ${meanwhile}`,
    p99,
    '≤ 20 ms',
    p99 <= 20,
  )
}

/** A page by three filters with all facets, on both surfaces' one query, while ten commits a second land. */
export async function* facets({ server, loopDelay }, token, repo, engine) {
  const headers = { Authorization: `Bearer ${token}` }
  const hub = hubClient(server.url, token)
  const read = async (query) => {
    const answer = await fetch(`${server.url}/api/service/v1/repos?type=models&limit=50&${query}`, {
      headers,
    })
    const page = await answer.json()
    if (page.items.length !== 50 || page.facets.task.length === 0)
      throw new Error(`a page of ${page.items.length}`)
  }
  const first = await seconds(() => read(filters[0]))
  const quiet = cpuSeconds(server.pid)
  for (let i = 0; i < quietRounds; i++) await read(filters[i % filters.length])
  const cpuMs = ((cpuSeconds(server.pid) - quiet) / quietRounds) * 1000
  const times = []
  await loopDelay()
  const over = new AbortController()
  let landed = 0
  const began = performance.now()
  // At fixed times: a slow commit does not put off the later ones.
  const committing = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      await sleep(Math.max(0, began + i * 100 - performance.now()))
      await hub.commit(repo, 'more', [textFile(`note-${i % 50}.txt`, `${i} ${performance.now()}\n`)])
      landed++
    }
  })()
  for (let i = 0; i < rounds; i++) {
    times.push(await seconds(() => read(filters[i % filters.length])))
    await sleep(20)
  }
  const rate = landed / ((performance.now() - began) / 1000)
  const late = await loopDelay()
  over.abort()
  await committing
  const figure = p95(times.slice(20))
  yield row(
    `page of 100 000 repos by three filters with facets, p95, ${engine}`,
    ms(figure),
    `${rate.toFixed(1)} commits/s meanwhile; CPU of the server ${ms(cpuMs)} a page; first page ${ms(first * 1000)}`,
    figure,
    '≤ 60 ms, ≥ 9.5 /s',
    figure <= 60 && rate >= 9.5,
  )
  yield loopRow(`such pages are read, ${engine}`, late, `${rate.toFixed(1)} commits/s meanwhile`)
}

const config = JSON.stringify({
  architectures: ['BertModel'],
  model_type: 'bert',
  max_position_embeddings: 512,
})
const models = 300

/** How many repos with a card and a configuration a server reads once more in a second. */
export async function* throughput({ server, loopDelay }, token, ns) {
  const hub = hubClient(server.url, token)
  for (let i = 0; i < models; i++) {
    await hub.create(`${ns}/unread-${i}`)
    const text = config.replace('512', `${512 + i}`)
    const files = [textFile('README.md', '---\nlicense: mit\n---\n'), textFile('config.json', text)]
    await hub.commit(`${ns}/unread-${i}`, 'all', files)
  }
  const admin = await server.login()
  const jobs = async (query) => (await admin.native('GET', `/jobs?${query}&limit=500`)).items
  while ((await jobs('kind=repo.index&status=queued')).length > 0) await sleep(100)
  await loopDelay()
  await server.cli(['reindex'])
  let job
  do {
    await sleep(100)
    ;[job] = await jobs('kind=repo.reindex')
  } while (job?.status !== 'succeeded')
  const took = (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000
  const late = await loopDelay()
  const figure = job.result.done / took
  const shown = `${figure.toFixed(0)} per second`
  yield row('repos whose files are read', shown, '', figure, '≥ 50 /s', figure >= 50)
  yield loopRow('files of repos are read', late, shown)
}
