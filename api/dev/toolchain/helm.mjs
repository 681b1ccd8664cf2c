// Helm's own engine with the types of Kubernetes: renders a chart and reads what comes out strictly.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { contentHash } from '../stamps.mjs'
import { cached } from './cache.mjs'
import { buildGo, requireGo } from './go.mjs'

const source = 'api/dev/toolchain/chart'

/** Makes sure that it is in the cache, which takes one or two minutes the first time; answers the program. */
export async function ensureHelm() {
  const hash = contentHash(['main.go', 'go.mod', 'go.sum'].map((name) => `${source}/${name}`))
  const folder = await cached(`helm-${hash}`, async (made) => {
    await requireGo('the tests build the engine of Helm, which')
    await buildGo(source, join(made, 'chart'))
  })
  return join(folder, 'chart')
}

/** The objects of a chart with these values. Throws what Helm or the types of Kubernetes object to. */
export async function renderChart(folder, values) {
  const child = spawn(await ensureHelm(), [folder])
  // JSON is YAML.
  child.stdin.end(JSON.stringify(values))
  const [said, objected, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(objected)
  return JSON.parse(said)
}
