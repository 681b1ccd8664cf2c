import type { RepoType } from '../../../shared/vocabulary.ts'
import type { Findings, Relation } from './findings.ts'
import { words } from './words.ts'

/** Why one repo needs another (indexing.md §4). */
export const needKinds = ['base_model', 'adapter_base', 'code', 'tokenizer', 'backbone', 'dataset'] as const
export type NeedKind = (typeof needKinds)[number]

/** A repo that another needs, by the name its files give. */
export interface RepoNeed {
  kind: NeedKind
  type: RepoType
  /** `name` or `ns/name`, as written. */
  target: string
  revision?: string
  relation?: Relation
  /** The file that says so. */
  path: string
}

const repoName = /^[\w.-]{1,96}(\/[\w.-]{1,96})?$/
const isRepoName = (name: string) => repoName.test(name) && !/^\.{1,2}(\/|$)/.test(name)
const maxNeeds = 500

/** What a repo needs by its card and its files; each kind and target once. */
export function needsOf(
  type: RepoType,
  matter: Record<string, unknown>,
  found: Findings,
  { bases, relation }: { bases: readonly string[]; relation: Relation },
): RepoNeed[] {
  const card = { path: 'README.md' }
  const written = new Set(words(matter['base_model']))
  const ggufFile = found.tensorFiles.find((path) => /\.gguf$/i.test(path)) ?? ''
  const fromBases = bases.map((target): RepoNeed => {
    const path = written.has(target) ? card.path : ggufFile
    return { kind: 'base_model', type: 'model', target, relation, path }
  })
  const fromFiles = found.needs.map(({ kind, repo, revision, path }): RepoNeed => {
    return { kind, type: 'model', target: repo, ...(revision === undefined ? {} : { revision }), path }
  })
  const datasets = words(matter[type === 'model' ? 'datasets' : 'source_datasets']).map(
    (target): RepoNeed => ({ kind: 'dataset', type: 'dataset', target, ...card }),
  )
  const all = [...(type === 'model' ? [...fromBases, ...fromFiles] : []), ...datasets]
  const valid = all.filter(({ target }) => isRepoName(target))
  const byKey = new Map(valid.map((need) => [`${need.kind} ${need.target.toLowerCase()}`, need]))
  return [...byKey.values()].slice(0, maxNeeds)
}
