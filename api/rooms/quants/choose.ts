import { quantGroups, quantOf, sidecarOf, type QuantGroup } from '../../core/parsers/index.ts'
import type { StoredGguf } from './gguf-files.ts'

/** What a tag chose: one model at one quant, with its projector. */
export interface Chosen {
  group: QuantGroup
  /** Of shards the first. */
  model: StoredGguf
  projector?: StoredGguf
}

/** Why a tag chooses nothing, in words for the person who typed it. */
export class NoSuchTag extends Error {}

const labelOf = ({ name }: QuantGroup) => name.split(' ', 1)[0] ?? ''
const plain = (label: string) => label.replace(/^UD-/, '')
/** Bits as the label says them, `Q5_K_M` → 5. */
const bitsOf = (group: QuantGroup) => group.bits ?? Number(/\d+/.exec(labelOf(group))?.[0] ?? 99)

/** Chooses the model of a tag: a file's name, a quant in any case, or `latest` (indexing.md §6). Throws `NoSuchTag`. */
export function choose(files: readonly StoredGguf[], tag: string): Chosen {
  const groups = quantGroups(files)
  if (groups.length === 0)
    throw new NoSuchTag('This repo has no GGUF file at the head of its default branch.')
  const group = byFile(groups, tag) ?? byLabel(groups, tag) ?? (tag === 'latest' ? latest(groups) : undefined)
  const model = files.find(({ path }) => path === group?.files[0])
  if (!group || !model) throw new NoSuchTag(`There is no tag "${tag}". Choose one of: ${tagsOf(groups)}.`)
  const projector = projectorOf(files, model)
  return { group, model, ...(projector ? { projector } : {}) }
}

function tagsOf(groups: QuantGroup[]): string {
  const labels = groups.map(labelOf)
  const isTwice = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  const tags = groups.map((group) =>
    isTwice(labelOf(group)) ? nameOf(group.files[0] ?? '') : labelOf(group),
  )
  return [...new Set(tags)].slice(0, 50).join(', ')
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function byFile(groups: QuantGroup[], tag: string): QuantGroup | undefined {
  return groups.find(({ files }) => files.some((path) => path === tag || nameOf(path) === tag))
}

function byLabel(groups: QuantGroup[], tag: string): QuantGroup | undefined {
  const wanted = tag.toUpperCase()
  const exact = groups.filter((group) => labelOf(group).toUpperCase() === wanted)
  const found = exact.length > 0 ? exact : groups.filter((group) => plain(labelOf(group)) === wanted)
  if (found.length > 1)
    throw new NoSuchTag(`Several models have the tag "${tag}". Choose a file: ${tagsOf(found)}.`)
  return found[0]
}

function latest(groups: QuantGroup[]): QuantGroup | undefined {
  for (const label of ['Q4_K_M', 'UD-Q4_K_XL', 'Q4_K_S']) {
    const found = groups.find((group) => labelOf(group) === label)
    if (found) return found
  }
  const nearest = groups
    .filter((group) => bitsOf(group) <= 8.5)
    .sort((a, b) => Math.abs(bitsOf(a) - 4) - Math.abs(bitsOf(b) - 4))
  return groups.find((group) => plain(labelOf(group)).startsWith('Q4')) ?? nearest[0] ?? groups[0]
}

const preferred = ['F16', 'BF16', 'F32', 'Q8_0']
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The projector beside a model, in its folder or the one above. */
function projectorOf(files: readonly StoredGguf[], model: StoredGguf): StoredGguf | undefined {
  const folder = folderOf(model.path)
  const near = files.filter(
    ({ path, facts }) =>
      sidecarOf(path, facts) === 'projector' &&
      (folderOf(path) === folder || folderOf(path) === folderOf(folder)),
  )
  const rank = ({ path, facts }: StoredGguf) => {
    const at = preferred.indexOf(quantOf(path, facts))
    return at < 0 ? preferred.length : at
  }
  return near.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))[0]
}

/**
 * The LoRA adapter for a model: the one adapter of its architecture in its folder. Of several none, as nothing says which
 * one is meant.
 */
export function adapterOf(
  files: readonly StoredGguf[],
  model: StoredGguf,
  architecture: string | undefined,
): StoredGguf | undefined {
  const adapters = files.filter(
    ({ path, facts }) =>
      facts?.role === 'adapter' &&
      facts.architecture === architecture &&
      folderOf(path) === folderOf(model.path),
  )
  return adapters.length === 1 ? adapters[0] : undefined
}
