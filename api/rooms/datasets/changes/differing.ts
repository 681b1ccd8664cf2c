import type { PlannedConfig } from '../configs/plan.ts'
import type { RevisionPlan } from '../configs/read-plan.ts'
import type { SourceFile } from '../configs/source-file.ts'
import { sameType } from '../features/feature.ts'
import { folderBuilders } from '../convert/folder-split.ts'

/** A split with the files of each side that the other does not have. */
export interface DifferingSplit {
  name: string
  status: 'added' | 'removed' | 'changed'
  base: string[]
  head: string[]
}

/** A config whose data differ, with what is read of each side; a side that has no such config lacks it. */
export interface DifferingConfig {
  name: string
  base?: PlannedConfig
  head?: PlannedConfig
  splits: DifferingSplit[]
}

type Plan = Pick<RevisionPlan, 'configs' | 'files'>

/** The configs of two revisions whose data files differ, or are read in another way. Equal files are left out. */
export function differingConfigs(base: Plan, head: Plan): DifferingConfig[] {
  const names = new Set([...head.configs, ...base.configs].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const [old, now] = [base, head].map(({ configs }) => configs.find((config) => config.name === name))
    const isWhole = !old || !now || !isReadAlike(old, now)
    const splits = differingSplits(old, now, { base, head, isWhole })
    if (splits.length === 0) return []
    const leading = leadingOids([old, base], [now, head])
    const of = (config: PlannedConfig | undefined, side: 'base' | 'head') => {
      const { files } = side === 'base' ? base : head
      return config ? { [side]: narrowed(config, splits, { side, files, leading }) } : {}
    }
    return [{ name, splits, ...of(old, 'base'), ...of(now, 'head') }]
  })
}

function isReadAlike(one: PlannedConfig, other: PlannedConfig): boolean {
  const asText = ({ builder, options }: PlannedConfig) =>
    JSON.stringify([builder, Object.entries(options).toSorted(([x], [y]) => (x < y ? -1 : 1))])
  const [a, b] = [one.features, other.features]
  const hasSameFeatures =
    a?.length === b?.length &&
    (a ?? []).every(({ name, type }, i) => {
      const match = b?.[i]
      return match?.name === name && sameType(match.type, type)
    })
  return asText(one) === asText(other) && hasSameFeatures
}

function differingSplits(
  old: PlannedConfig | undefined,
  now: PlannedConfig | undefined,
  { base, head, isWhole }: { base: Plan; head: Plan; isWhole: boolean },
): DifferingSplit[] {
  const names = new Set([...(now?.splits ?? []), ...(old?.splits ?? [])].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const filesOf = (config: PlannedConfig | undefined, { files }: Plan) =>
      (config?.splits.find((split) => split.name === name)?.files ?? []).flatMap(
        (path) => files.get(path) ?? [],
      )
    const [before, after] = [filesOf(old, base), filesOf(now, head)]
    const status = before.length === 0 ? 'added' : after.length === 0 ? 'removed' : 'changed'
    const split: DifferingSplit = isWhole
      ? { name, status, base: before.map(pathOf), head: after.map(pathOf) }
      : { name, status, base: without(before, after), head: without(after, before) }
    return split.base.length + split.head.length > 0 ? [split] : []
  })
}

const pathOf = ({ path }: SourceFile) => path

/** Files whose content the other side does not have as often. */
function without(files: readonly SourceFile[], others: readonly SourceFile[]): string[] {
  const left = new Map<string, number>()
  for (const { oid } of others) left.set(oid, (left.get(oid) ?? 0) + 1)
  return files.flatMap(({ oid, path }) => {
    const count = left.get(oid) ?? 0
    if (count > 0) left.set(oid, count - 1)
    return count > 0 ? [] : [path]
  })
}

/** Contents of the very first file of each side: it decides on the columns. */
const leadingOids = (...sides: [PlannedConfig | undefined, Plan][]) =>
  new Set(
    sides.flatMap(([config, { files }]) => {
      const path = config?.features ? undefined : config?.splits[0]?.files[0]
      return path === undefined ? [] : (files.get(path)?.oid ?? [])
    }),
  )

/**
 * The config with the files that differ, and those that decide on the columns: where these do not differ, both sides of the
 * split have them, so their rows are equal. Media of folders are named by all files.
 */
function narrowed(
  config: PlannedConfig,
  differing: readonly DifferingSplit[],
  { side, files, leading }: { side: 'base' | 'head'; files: Plan['files']; leading: ReadonlySet<string> },
): PlannedConfig {
  if (folderBuilders.includes(config.builder)) return config
  const splits = config.splits.map((split) => {
    const wanted = new Set(differing.find(({ name }) => name === split.name)?.[side])
    const taken = new Set<string>()
    return {
      ...split,
      files: split.files.filter((path) => {
        if (wanted.has(path)) return true
        const oid = files.get(path)?.oid ?? ''
        if (!leading.has(oid) || taken.has(oid)) return false
        taken.add(oid)
        return true
      }),
    }
  })
  return { ...config, splits: splits.filter((split) => split.files.length > 0) }
}
