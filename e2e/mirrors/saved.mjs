// Measures what a team behind one address asks of a hub that is shaped as the public one, and what its CDN sends. Prints the
// table of docs/mirrors.md: `node e2e/mirrors/saved.mjs` after `npm run build`.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { startServer } from '../fixtures/server.mjs'
import { loadWith } from './loader.mjs'
import { PublicHub, reachingCdn } from './public-hub.mjs'
import { pullingThrough } from './upstream.mjs'

const TEAM = 50
const MiB = 2 ** 20
const repo = 'acme/team'

const python = (await ensurePython()).a
const dir = await mkdtemp(join(tmpdir(), 'arsenal-saved-'))
const hub = await PublicHub.start()
const server = await startServer({
  'upstreams.huggingface.enabled': 'false',
  'upstreams.one.base_url': hub.url,
  ...reachingCdn,
  ...pullingThrough,
})
let n = 0

/** One person on a new machine loads the model; answers what the hub and its CDN were asked meanwhile. */
async function load(url) {
  const from = { hub: hub.asked.length, cdn: hub.cdn.sent.length }
  const cache = join(dir, `cache-${n++}`)
  // Chunks do not go through a proxy.
  const env = { HF_HUB_DISABLE_XET: '1' }
  await loadWith(python, ['load.py', repo, 'main', cache], { url, home: join(dir, `home-${n}`), env })
  await rm(cache, { recursive: true, force: true })
  const sent = hub.cdn.sent.slice(from.cdn)
  return {
    hub: hub.asked.length - from.hub,
    cdn: sent.length,
    bytes: sent.reduce((sum, one) => sum + one.bytes, 0),
  }
}

function lineOf(title, first, next) {
  const ofTeam = (key) => first[key] + (TEAM - 1) * next[key]
  const cells = [first.hub + first.cdn, next.hub + next.cdn, ofTeam('hub') + ofTeam('cdn')]
  return `| ${title} | ${cells.join(' | ')} | ${(ofTeam('bytes') / MiB).toFixed(1)} |`
}

try {
  const small = { '.gitattributes': '*.bin filter=lfs\n', 'README.md': '# Team\n' }
  await hub.commit(
    repo,
    { ...small, 'config.json': '{"model_type":"bert"}' },
    { 'model.bin': randomBytes(64 * MiB) },
  )
  // A plain proxy hands each request on.
  const plain = await load(hub.url)
  const cold = await load(server.url)
  const warm = await load(server.url)
  hub.mood = 'gone'
  const offline = await load(server.url)
  console.log('| Way | First load | Each later one | Requests for 50 loads | MiB from its CDN |')
  console.log('| --- | --- | --- | --- | --- |')
  console.log(lineOf('Plain proxy', plain, plain))
  console.log(lineOf('Arsenal, cold', cold, warm))
  console.log(lineOf('Arsenal, warm', warm, warm))
  console.log(lineOf('Arsenal, upstream gone', offline, offline))
} finally {
  await server.stop()
  await hub.stop()
  await rm(dir, { recursive: true, force: true })
}
