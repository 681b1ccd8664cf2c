import type { NamedFeature } from '../../../../shared/viewer.ts'
import { splitPattern, type SplitPatterns } from './data-files.ts'
import { PlanFault } from './plan-fault.ts'
import { yamlFeatures } from './yaml-features.ts'

/** A config as the card declares it. */
export interface CardConfig {
  name: string
  isDefault: boolean
  patterns?: SplitPatterns
  folder: string
  features?: NamedFeature[]
  /** Columns that name a row: only comparisons look at them. */
  key?: string[]
  /** All other keys, for the builder. */
  options: Record<string, unknown>
}

const isMap = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const fault = (message: string) => new PlanFault('ConfigNamesError', message)

/** Longer lists are refused, as the public viewer does. */
const MAX_CONFIGS = 4000

/** The configs of a card, in its order. Throws `PlanFault`. */
export function cardConfigs(matter: Record<string, unknown>): CardConfig[] {
  const { configs } = matter
  if (configs === undefined || configs === null || isEmpty(configs)) return []
  if (!Array.isArray(configs)) throw fault('`configs` in the card must be a list.')
  if (configs.length > MAX_CONFIGS)
    throw new PlanFault(
      'DatasetWithTooManyConfigsError',
      `The card declares ${configs.length} configs; at most ${MAX_CONFIGS} are shown.`,
    )
  const byName = new Map(
    configs.map((config: unknown) => {
      const read = readConfig(config)
      return [read.name, read]
    }),
  )
  return withDefault([...byName.values()])
}

const isEmpty = (given: unknown) =>
  given === '' || given === false || (Array.isArray(given) && given.length === 0)

function readConfig(config: unknown): CardConfig {
  if (!isMap(config) || !('config_name' in config))
    throw fault('Each of `configs` in the card needs a `config_name`.')
  const { config_name, data_files, data_dir, default: isDefault, features, key, ...options } = config
  const name = String(config_name)
  const bad = /[<>:/\\|?*]/.exec(name)?.[0]
  if (bad !== undefined || name === '')
    throw fault(`The name of a config must not be empty and not hold any of <>:/\\|?*: "${name}".`)
  return {
    name,
    isDefault: Boolean(isDefault),
    ...(data_files === undefined || data_files === null ? {} : { patterns: patternsOf(data_files, name) }),
    folder: typeof data_dir === 'string' ? data_dir.replace(/\/+$/, '') : '',
    ...(features === undefined || features === null ? {} : { features: yamlFeatures(features) }),
    ...keyOf(key),
    options,
  }
}

const isName = (given: unknown): given is string => typeof given === 'string' && given !== ''

/** What is no name of a column is passed over, as clients do with all of it. */
function keyOf(given: unknown): Pick<CardConfig, 'key'> {
  const key = (Array.isArray(given) ? (given as unknown[]) : [given]).filter(isName)
  return key.length > 0 ? { key: [...new Set(key)] } : {}
}

/** The only one, the one named `default`, or the one that says so; two of them are an error. */
function withDefault(configs: CardConfig[]): CardConfig[] {
  const marked = configs.filter(
    ({ name, isDefault }) => configs.length === 1 || name === 'default' || isDefault,
  )
  if (marked.length > 1)
    throw fault(
      `The card has several default configs: ${marked.map(({ name }) => name).join(', ')}. Keep \`default: true\` with one.`,
    )
  return configs.map((config) => ({ ...config, isDefault: config === marked[0] }))
}

const howToWrite = 'Write a path, a list of paths, or a list of `split` and `path`.'

function patternsOf(files: unknown, config: string): SplitPatterns {
  const wrong = () => fault(`\`data_files\` of the config ${config} cannot be read. ${howToWrite}`)
  if (typeof files === 'string') return new Map([['train', [files]]])
  if (!Array.isArray(files)) throw wrong()
  const list = files as unknown[]
  if (list.every((one) => typeof one === 'string')) return new Map([['train', list]])
  const splits: SplitPatterns = new Map()
  for (const one of list) {
    if (!isMap(one) || Object.keys(one).length !== 2) throw wrong()
    const { split, path } = one
    const paths = typeof path === 'string' ? [path] : path
    if (!Array.isArray(paths)) throw wrong()
    const name = String(split)
    if (!splitPattern.test(name))
      throw fault(`"${name}" cannot be the name of a split: use letters, digits, _ and dots.`)
    if (splits.has(name))
      throw fault(`The split ${name} comes twice in \`data_files\` of the config ${config}.`)
    splits.set(name, paths.map(String))
  }
  return splits
}

/** Columns that `dataset_info` of the card gives, by config. Throws `PlanFault`. */
export function cardFeatures(matter: Record<string, unknown>): {
  features: Map<string, NamedFeature[]>
  names: string[]
} {
  const given = matter['dataset_info']
  const list = Array.isArray(given) ? (given as unknown[]) : [given]
  const features = new Map<string, NamedFeature[]>()
  const names: string[] = []
  for (const one of list.filter(isMap)) {
    const name = typeof one['config_name'] === 'string' ? one['config_name'] : 'default'
    names.push(name)
    if (one['features'] !== undefined && one['features'] !== null)
      features.set(name, yamlFeatures(one['features']))
  }
  return { features, names }
}
