import { isAllowed } from './builders.ts'
import { hasMagic, matcherOf } from './glob.ts'
import { PlanFault } from './plan-fault.ts'

/** Patterns by split, in the order of the splits. */
export type SplitPatterns = Map<string, string[]>

const ignored = new Set([
  'README.md',
  'config.json',
  'dataset_info.json',
  'dataset_infos.json',
  'dummy_data.zip',
  'dataset_dict.json',
])

/** Names of splits that may be written as file names and folders. */
export const splitPattern = /^[\p{L}\p{N}_]+(\.[\p{L}\p{N}_]+)*$/u
const splitNames = ['train', 'validation', 'test']

const keywords: Record<string, string[]> = {
  train: ['train', 'training'],
  validation: ['validation', 'valid', 'dev', 'val'],
  test: ['test', 'testing', 'eval', 'evaluation'],
}
const around = '[-._ 0-9]'
const ofKeywords = (forms: (keyword: string) => string[]): SplitPatterns =>
  new Map(Object.entries(keywords).map(([split, words]) => [split, words.flatMap(forms)]))

/** The first rule that finds any file for any split is the one (docs/protocols/datasets.md §2). */
const defaultRules: SplitPatterns[] = [
  new Map([['logs', ['**/*.eval']]]),
  new Map([['test', ['**/task.toml', '**/instruction.md']]]),
  ofKeywords((k) => [
    `**/${k}/**`,
    `**/${k}${around}*/**`,
    `**/*${around}${k}/**`,
    `**/*${around}${k}${around}*/**`,
  ]),
  ofKeywords((k) => [`**/${k}${around}*`, `**/*${around}${k}${around}*`]),
  new Map([['train', ['**']]]),
]

const digits = '[0-9]'.repeat(5)
const shardPattern = (split: string) => `data/${split}-${digits}-of-${digits}*.*`
const shardName = /^(.+)-\d{5}-of-\d{5}\d*./

/** The files of a repo that patterns are looked up in, each with its path; in the order of paths. */
export class DataFiles {
  readonly #paths: string[]

  constructor(paths: Iterable<string>) {
    this.#paths = [...paths].sort(byText)
  }

  /** The files a pattern names below `folder`, as the library finds them. */
  find(pattern: string, folder = ''): string[] {
    const full = folder === '' ? pattern : `${folder}/${pattern}`
    const name = full.slice(full.lastIndexOf('/') + 1)
    const isMatch = hasMagic(full) ? matcherOf(full) : (path: string) => path === full
    return this.#paths.filter((path) => {
      const own = path.slice(path.lastIndexOf('/') + 1)
      if (ignored.has(own) && own !== name) return false
      return !isUnasked(path, full) && isMatch(path)
    })
  }

  /** The files of all patterns of a split, in their order. Throws `PlanFault` where a path is missing. */
  findAll(patterns: readonly string[], folder = ''): string[] {
    return patterns.flatMap((pattern) => {
      const found = this.find(pattern, folder).filter(isAllowed)
      if (found.length === 0 && !hasMagic(pattern))
        throw new PlanFault(
          'DataFilesNotFoundError',
          `The card names the data file "${pattern}", which is not in this repo, or whose suffix is not one of data.`,
        )
      return found
    })
  }

  /** The patterns that apply where the card names none. Throws `PlanFault` where there are no files at all. */
  defaultPatterns(folder = ''): SplitPatterns {
    const shards = this.find(shardPattern('*'), folder)
    if (shards.length > 0) return shardPatterns(shards)
    for (const rule of defaultRules) {
      const found = [...rule].filter(([, patterns]) =>
        patterns.some((pattern) => this.find(pattern, folder).length > 0),
      )
      if (found.length > 0) return new Map(found)
    }
    throw new PlanFault(
      'EmptyDatasetError',
      'This repo holds no data files yet. Upload CSV, JSON, Parquet, text, image or audio files.',
    )
  }
}

function shardPatterns(paths: string[]): SplitPatterns {
  const splits = new Set(
    paths.map((path) => shardName.exec(path.slice(path.lastIndexOf('/') + 1))?.[1] ?? ''),
  )
  const bad = [...splits].find((split) => !splitPattern.test(split))
  if (bad !== undefined)
    throw new PlanFault(
      'ConfigNamesError',
      `"${bad}" cannot be the name of a split: use letters, digits, _ and dots. Rename the files.`,
    )
  const others = [...splits].filter((split) => !splitNames.includes(split)).sort(byText)
  const sorted = [...splitNames.filter((split) => splits.has(split)), ...others]
  return new Map(sorted.map((split) => [split, [shardPattern(split)]]))
}

/** Hidden files, and those below `__…`, count only where the pattern names as many of them. */
function isUnasked(path: string, pattern: string): boolean {
  const [ofPath, ofPattern] = [path.split('/'), pattern.split('/')]
  const hidden = (parts: string[]) =>
    parts.filter((part) => part.startsWith('.') && !/^\.+$/.test(part)).length
  const special = (parts: string[]) => parts.slice(0, -1).filter((part) => part.startsWith('__')).length
  return special(ofPath) !== special(ofPattern) || hidden(ofPath) !== hidden(ofPattern)
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
