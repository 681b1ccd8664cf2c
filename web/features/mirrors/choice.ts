import type { FoundDetail, PullCreate } from './queries.ts'

type File = FoundDetail['files'][number]
type Selection = NonNullable<PullCreate['selection']>

/** The server takes so many globs. */
const MAX_GLOBS = 200

/** Files that a person chooses from; all others always come. */
export const largeFilesOf = ({ files }: Pick<FoundDetail, 'files'>): File[] => files.filter(({ lfs }) => lfs)

const literally = (path: string) => path.replace(/[*?[]/g, '[$&]')

/** Parts of a dataset whose files are chosen together. */
type Config = Pick<FoundDetail['configs'][number], 'name' | 'files'>

/** The selection that stands for chosen files; `undefined` where it would be too long. */
export function selectionOf(
  large: readonly File[],
  chosen: ReadonlySet<string>,
  configs: readonly Config[] = [],
): Selection | undefined {
  const left = large.filter(({ path }) => !chosen.has(path))
  if (left.length === 0) return { all: true }
  if (chosen.size === 0) return {}
  const whole = configs.filter(({ files }) => files.length > 0 && files.every((path) => chosen.has(path)))
  // By name, so that a mirror brings what its upstream adds to them.
  const isConfigs = new Set(whole.flatMap(({ files }) => files)).size === chosen.size
  if (isConfigs) return { configs: whole.map(({ name }) => name) }
  if (chosen.size <= MAX_GLOBS) return { include: [...chosen].map(literally) }
  return left.length <= MAX_GLOBS
    ? { all: true, exclude: left.map(({ path }) => literally(path)) }
    : undefined
}

/** Bytes that the chosen files still bring. */
export const bytesToCome = (large: readonly File[], chosen: ReadonlySet<string>): number =>
  large.reduce(
    (sum, { path, size, presence }) => (chosen.has(path) && presence !== 'present' ? sum + size : sum),
    0,
  )

/** A name or an address of a repo in what somebody typed. */
export function repoIn(
  text: string,
): { type: 'models' | 'datasets' | undefined; ns: string; name: string } | undefined {
  const [, kind, ns, name] =
    /^(?:https?:\/\/[^/]+\/)?(models\/|datasets\/)?([\w.-]+)\/([\w.-]+)/.exec(text.trim()) ?? []
  if (ns === undefined || name === undefined) return undefined
  const type = kind === 'datasets/' ? 'datasets' : /^https?:/.test(text.trim()) ? 'models' : undefined
  return { type, ns, name }
}
