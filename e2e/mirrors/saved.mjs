// Measures what a team behind one address asks of an upstream, and what it downloads. Prints the table of docs/mirrors.md:
// `node e2e/mirrors/saved.mjs` after `npm run build`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { loadWith } from './loader.mjs'
import { givenModel, pullingThrough, startApart } from './upstream.mjs'

const TEAM = 50
const MiB = 2 ** 20

const python = (await ensurePython()).a
const dir = await mkdtemp(join(tmpdir(), 'arsenal-saved-'))
const site = await startApart(pullingThrough)
const { between, server, owner } = site
let n = 0

/** One person on a new machine loads the model; answers what the upstream was asked meanwhile. */
async function load(url, repo) {
  const from = between.asked.length
  const cache = join(dir, `cache-${n++}`)
  await loadWith(python, ['load.py', repo, 'main', cache], { url, home: join(dir, `home-${n}`) })
  await rm(cache, { recursive: true, force: true })
  const asked = between.asked.slice(from)
  return { requests: asked.length, bytes: asked.reduce((sum, one) => sum + one.bytes, 0) }
}

try {
  const { repo } = await givenModel(owner, 'team', { 'model.bin': 64 * MiB })
  // A plain proxy hands each request on.
  const plain = await load(between.url, repo)
  const cold = await load(server.url, repo)
  const warm = await load(server.url, repo)
  between.isDown = true
  const offline = await load(server.url, repo)
  const mib = (bytes) => (bytes / MiB).toFixed(1)
  const line = (title, first, next) => {
    const requests = first.requests + (TEAM - 1) * next.requests
    const bytes = first.bytes + (TEAM - 1) * next.bytes
    return `| ${title} | ${first.requests} | ${next.requests} | ${requests} | ${mib(bytes)} |`
  }
  console.log('| Way | First load | Each later one | Requests for 50 loads | MiB from the upstream |')
  console.log('| --- | --- | --- | --- | --- |')
  console.log(line('Plain proxy', plain, plain))
  console.log(line('Arsenal, cold', cold, warm))
  console.log(line('Arsenal, warm', warm, warm))
  console.log(line('Arsenal, upstream gone', offline, offline))
} finally {
  await site.stop()
  await rm(dir, { recursive: true, force: true })
}
