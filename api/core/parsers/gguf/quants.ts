import { groupedBy } from '../grouped.ts'
import type { GgufFacts } from './facts.ts'
import { quantRank } from './quant-order.ts'

const label =
  /(?:^|[-._/])((?:UD-)?(?:IQ[1-4]_(?:XXS|XS|S|M|NL|XL)|T?Q[1-8]_(?:K(?:_(?:XXS|XS|S|M|L|XL|P))?|[01](?:_[48]_[48])?)|BF16|FP?(?:16|32)|MXFP4(?:_MOE)?|NVFP4))(?=$|[-._/])/gi
const shard = /^(.+)-(\d{5})-of-(\d{5})\.gguf$/i

/** A GGUF file of several, by its name. */
export function ggufShardOf(path: string): { prefix: string; number: number; count: number } | undefined {
  const found = shard.exec(path)
  return found ? { prefix: found[1] ?? '', number: Number(found[2]), count: Number(found[3]) } : undefined
}

/** The quant that a path names, such as `Q4_K_M`: the last one in it, folders among it. */
export function quantLabel(path: string): string | undefined {
  const bare = (ggufShardOf(path)?.prefix ?? path.replace(/\.gguf$/i, '')).slice(-1024)
  const last = [...bare.matchAll(label)].at(-1)?.[1]
  return last?.toUpperCase().replace(/^FP/, 'F')
}

/** What stands beside models and makes no group of its own. */
type Sidecar = 'projector' | 'draft' | 'imatrix' | 'adapter' | 'vocab'

/** Whether a file is no model, by its name and what its header says. */
export function sidecarOf(path: string, facts?: Pick<GgufFacts, 'role'>): Sidecar | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name.startsWith('mmproj') || facts?.role === 'projector') return 'projector'
  if (name.startsWith('mtp-')) return 'draft'
  if (name.startsWith('imatrix')) return 'imatrix'
  if (facts?.role === 'adapter') return 'adapter'
  return name.endsWith('-vocab.gguf') || facts?.role === 'vocab' ? 'vocab' : undefined
}

/** The quant of a file: of its name, else of its header, else of what most of its bytes are. */
export function quantOf(path: string, facts?: Pick<GgufFacts, 'fileType' | 'bytesByType'>): string {
  const named = quantLabel(path) ?? facts?.fileType
  if (named !== undefined) return named
  const [largest] = Object.entries(facts?.bytesByType ?? {}).sort(([, a], [, b]) => b - a)
  return largest?.[0] ?? 'UNKNOWN'
}

/** A stored GGUF file: its path, its size, and its header where that was read. */
export interface GgufFile {
  path: string
  sizeBytes: number
  facts?: GgufFacts
}

/** The files that make one model at one quant. */
export interface QuantGroup {
  name: string
  /** Mean bits of a parameter, where the headers tell how many there are. */
  bits?: number
  files: string[]
  sizeBytes: number
  isSharded: boolean
  /** Shards that the first one counts and that are missing. */
  missingShards: number
  /** Files that models of this folder see or hear with. */
  projectors: string[]
}

/** The largest first: by quants as the public hub orders them, of one quant by bytes. */
const byQuant = (a: QuantGroup, b: QuantGroup): number =>
  quantRank(labelOf(a)) - quantRank(labelOf(b)) || b.sizeBytes - a.sizeBytes || (a.name < b.name ? -1 : 1)

/** The quant of a group, without what tells it from others of the same. */
const labelOf = ({ name }: QuantGroup): string => name.split(' ', 1)[0] ?? ''

/** Groups the GGUF files of a repo into models at a quant, the largest first (indexing.md §2). */
export function quantGroups(files: readonly GgufFile[]): QuantGroup[] {
  const projectors = files
    .filter(({ path, facts }) => sidecarOf(path, facts) === 'projector')
    .map(({ path }) => path)
  const models = files.filter(({ path, facts }) => sidecarOf(path, facts) === undefined)
  const sets = groupedBy(models, ({ path }) => ggufShardOf(path)?.prefix ?? path)
  const groups = [...sets.values()].map((members) => groupOf(members, projectors))
  const counts = groupedBy(groups, ({ name }) => name)
  for (const group of groups)
    if ((counts.get(group.name)?.length ?? 0) > 1)
      group.name = `${group.name} · ${baseName(group.files[0] ?? '')}`
  return groups.sort(byQuant)
}

function groupOf(members: GgufFile[], projectors: string[]): QuantGroup {
  const sorted = [...members].sort((a, b) => (a.path < b.path ? -1 : 1))
  const [first] = sorted
  const path = first?.path ?? ''
  const sizeBytes = sorted.reduce((sum, file) => sum + file.sizeBytes, 0)
  const parameters = sorted.every(({ facts }) => facts)
    ? sorted.reduce((sum, { facts }) => sum + (facts?.parameters ?? 0), 0)
    : 0
  const named = ggufShardOf(path)?.count ?? 1
  const folder = folderOf(path)
  return {
    name: quantOf(path, first?.facts),
    ...(parameters > 0 ? { bits: Math.round((sizeBytes * 800) / parameters) / 100 } : {}),
    files: sorted.map((file) => file.path),
    sizeBytes,
    isSharded: named > 1,
    missingShards: Math.max(0, Math.max(named, first?.facts?.split?.count ?? 1) - sorted.length),
    projectors: projectors.filter((other) => [folder, folderOf(folder)].includes(folderOf(other))),
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (ggufShardOf(name)?.prefix ?? name.replace(/\.gguf$/i, '')).replace(
    /[-._]?(UD-)?I?T?Q\d.*$|[-._](BF16|FP?16|FP?32)$/i,
    '',
  )
}
