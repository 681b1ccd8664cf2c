import type { z } from 'zod'
import { ConfigError, suggestion, type Fault } from './faults.ts'
import { keys, shownName } from './keys.ts'
import type { LowestLayer } from './quick-start.ts'
import { Raw } from './raw.ts'
import { Config } from './schema/index.ts'
import { readEnvironment, readFile, readFlags } from './sources.ts'
import { unread } from './unread.ts'

export interface Sources {
  /** YAML file; `SERVICE_CONFIG` names it when left out. */
  file?: string | undefined
  env?: Record<string, string | undefined>
  /** `key=value`, as given to `--set`. */
  set?: string[]
  lowest?: LowestLayer
}

/** The one upstream that exists without configuration. */
const builtInUpstream = { id: 'huggingface', base_url: 'https://huggingface.co' }

/**
 * The configuration from all its sources; later ones win: lowest layer, YAML file, `SERVICE_*`, `--set`. `warn` is given
 * what works but is likely a mistake.
 * @throws ConfigError with every fault of every source.
 */
export function loadConfig(
  { file, env = {}, set = [], lowest = () => ({}) }: Sources,
  warn: (text: string) => void = () => undefined,
): Config {
  const raw = new Raw()
  const yaml = file ?? env['SERVICE_CONFIG']
  if (yaml) readFile(raw, yaml)
  readEnvironment(raw, env, set)
  readFlags(raw, set)
  for (const [key, value] of Object.entries(lowest((name) => raw.get(name.split('.'))))) {
    raw.setDefault(key.split('.'), value, 'quick start')
  }
  raw.setDefault(['upstreams', builtInUpstream.id, 'base_url'], builtInUpstream.base_url, 'built in')

  const parsed = Config.safeParse(raw.tree)
  const faults = [...raw.faults, ...(parsed.error?.issues ?? []).flatMap((issue) => faultsOf(issue, raw))]
  if (faults.length > 0 || !parsed.data) throw new ConfigError(faults)
  for (const text of warningsOf(raw, parsed.data)) warn(text)
  return { ...parsed.data, sources: raw.sources() }
}

/** What works but is likely a mistake: keys that nothing reads yet, and values that clients do not get along with. */
function* warningsOf(raw: Raw, config: Config): Generator<string> {
  for (const name of unread) {
    const source = raw.sourceWithin(name)
    if (source) yield `${name} (${source}): has no effect in this version`
  }
  const shardCacheMs = 21 * 24 * 3_600_000
  if (config.chunk.xorb_retention <= shardCacheMs)
    yield 'chunk.xorb_retention: clients keep naming chunks from their cache for 21 days (504h); keep them longer than that'
}

function faultsOf(issue: z.core.$ZodIssue, raw: Raw): Fault[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => {
      const key = shownName([...path, name])
      const message = `no such key${suggestion(
        key,
        keys().map((known) => known.name),
      )}`
      return { key, source: raw.source([...path, name]), message }
    })
  }
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return [{ key: shownName(path), source: raw.source(path), message }]
}
