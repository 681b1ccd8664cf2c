import type { Config } from '../../platform/config/index.ts'
import { casPath, defaultCasPath } from '../../rooms/chunk/index.ts'

/** What an address asks of the endpoints; `hash` is whatever stands in its place. */
export type CasCall =
  | { kind: 'xorb' | 'chunk'; prefix: string; hash: string }
  | { kind: 'grant' | 'shard' | 'shard-stream' | 'telemetry' | 'download' }

/*
 * By their ends, for any number of segments may stand before: the user's tag, and whatever an earlier or later
 * `chunk.cas_url` has. The names of hf-xet 1.0 to the newest (chunk-upload.md §5).
 */
const hashed = [
  { kind: 'xorb', end: /\/(?:v1\/xorbs|xorbs|xorb)\/([^/]+)\/([^/]+)$/ },
  { kind: 'chunk', end: /\/(?:v1\/chunks|chunks|chunk)\/([^/]+)\/([^/]+)$/ },
] as const
const plain = [
  { kind: 'grant', end: /\/v1\/(?:xorb-grants\/[^/]+\/[^/]+|xorb-commits\/[^/]+\/[^/]+\/grant\/[^/]+)$/ },
  { kind: 'shard-stream', end: /\/v2\/shards$/ },
  { kind: 'shard', end: /\/(?:v1\/)?shards$|\/shard\/[^/]+\/[^/]+$/ },
  { kind: 'telemetry', end: /\/v1\/telemetry$/ },
  {
    kind: 'download',
    end: /\/v[12]\/(?:reconstructions(?:\/[^/]+)?|file-chunk-hashes\/[^/]+|files\/[^/]+)$/,
  },
] as const

/** What the address asks for, if anything that is known. */
export function casCallOf(path: string): CasCall | undefined {
  for (const { kind, end } of hashed) {
    const [, prefix, hash] = end.exec(path) ?? []
    if (prefix !== undefined && hash !== undefined) return { kind, prefix, hash }
  }
  const found = plain.find(({ end }) => end.test(path))
  return found && { kind: found.kind }
}

/** Patterns below which the endpoints are mounted: at their default place, and where `chunk.cas_url` says. */
export function casPatterns(config: Config): string[] {
  const own = casPath(config)
  // At the root of a host of their own nothing but the tag tells them from the rest.
  return [...new Set([defaultCasPath, own === '' ? '/:tag{[0-9a-f]{16}}' : own])].map((base) => `${base}/*`)
}

/**
 * Whether an address belongs to the endpoints: everything at their default place; of a place that the configuration
 * names, which a namespace may share, only what looks like a call of theirs.
 */
export function casOwns(config: Config): (path: string) => boolean {
  const own = casPath(config)
  const isBelowOwn = (path: string) =>
    own === '' ? /^\/[0-9a-f]{16}\//.test(path) : path.startsWith(`${own}/`)
  return (path) =>
    path.startsWith(`${defaultCasPath}/`) || (isBelowOwn(path) && casCallOf(path) !== undefined)
}
