// The alert rules of deploy/monitoring, evaluated by Prometheus over all processes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensurePrometheus, startPrometheus } from '../../../api/dev/toolchain/prometheus.mjs'

const rules = fileURLToPath(new URL('../../../deploy/monitoring/alerts.yaml', import.meta.url))
const unitSeconds = { m: 60, h: 3600, d: 86_400 }
const scrapeMs = 15_000

/**
 * Starts Prometheus. `share` of the time that a whole run takes shortens the times of the rules alike, so that a short run
 * shows the same.
 */
export async function startAlerts({ targets, share, folder }) {
  const scaled = (_, number, unit) => `${Math.max(1, Math.round(number * unitSeconds[unit] * share))}s`
  const text = readFileSync(rules, 'utf8')
    .replaceAll(/(?<=for: )(\d+)([mhd])/g, scaled)
    .replaceAll(/(?<=\[)(\d+)([mhd])(?=\])/g, scaled)
  const file = join(folder, 'alerts.yaml')
  writeFileSync(file, text)
  const { prometheus } = await ensurePrometheus()
  return startPrometheus(prometheus, { targets, rules: file, everyMs: Math.max(1000, scrapeMs * share) })
}
