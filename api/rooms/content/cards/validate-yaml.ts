import type { RepoType } from '../../../../shared/vocabulary.ts'
import { languages, licenceId, licences, loadVocabulary, words } from '../../../core/metadata/index.ts'
import { parseCard } from './card.ts'

/** What the hub's metadata check answers (hub-wire.md §11.4); errors stop an upload, warnings are shown. */
export interface CardVerdict {
  errors: { message: string }[]
  warnings: { message: string }[]
}

/** Most messages of each kind. */
const MAX_MESSAGES = 20
/** A value of 1 MiB is not repeated as a whole. */
const MAX_SHOWN_LENGTH = 100

type Matter = Record<string, unknown>
type Say = (message: string) => void

// `ns/name`, or a bare name of old; each part as repo names are.
const REPO_ID = /^[\w.-]{1,96}(?:\/[\w.-]{1,96})?$/
const LANGUAGE = /^(?:[a-z]{2,3}|code|multilingual)$/
const RELATIONS = ['adapter', 'merge', 'quantized', 'finetune']

/** Checks a README's metadata as hub clients ask before every commit that holds one (rules: indexing.md §4). */
export async function validateYaml(readme: string, type: RepoType): Promise<CardVerdict> {
  const errors: { message: string }[] = []
  const warnings: { message: string }[] = []
  const fail = sayTo(errors)
  const warn = sayTo(warnings)
  const { frontMatter, problems } = await parseCard(readme)
  for (const { message } of problems) fail(message)
  if (!frontMatter) {
    if (problems.length === 0) warn('empty or missing yaml metadata in repo card')
    return { errors, warnings }
  }
  checkTypes(frontMatter, fail)
  checkLanguages(frontMatter, fail)
  checkLicence(frontMatter, warn)
  if (type === 'model') await checkModel(frontMatter, fail, warn)
  else checkConfigs(frontMatter, fail)
  return { errors, warnings }
}

function sayTo(list: { message: string }[]): Say {
  return (message) => {
    if (list.length < MAX_MESSAGES) list.push({ message })
  }
}

const shown = (value: string) =>
  value.length <= MAX_SHOWN_LENGTH ? value : `${value.slice(0, MAX_SHOWN_LENGTH)}…`

const scalars = ['pipeline_tag', 'library_name', 'pretty_name', 'license_name', 'license_link', 'thumbnail']
const lists = [
  'tags',
  'datasets',
  'metrics',
  'license',
  'language',
  'base_model',
  'task_categories',
  'task_ids',
]

function checkTypes(matter: Matter, fail: Say): void {
  for (const key of scalars) if (!isScalar(matter[key])) fail(`"${key}" must be a string`)
  for (const key of lists) {
    const value = matter[key]
    if (!(Array.isArray(value) ? value.every((member) => isScalar(member)) : isScalar(value)))
      fail(`"${key}" must be a string or a list of strings`)
  }
}

function isScalar(value: unknown): boolean {
  return value === undefined || value === null || typeof value !== 'object'
}

function checkLanguages(matter: Matter, fail: Say): void {
  for (const language of languages(matter['language']))
    if (!LANGUAGE.test(language))
      fail(
        `"language" with value "${shown(language)}" is not valid. It must be an ISO 639-1, 639-2 or 639-3 code in lower case, "code" or "multilingual".`,
      )
}

function checkLicence(matter: Matter, warn: Say): void {
  const ids = words(matter['license']).map((id) => licenceId(id))
  for (const id of ids)
    if (!licences.has(id)) warn(`"license" with value "${shown(id)}" is not one the public hub knows`)
  if (ids.includes('other') && (!matter['license_name'] || !matter['license_link']))
    warn('"license: other" should come with "license_name" and "license_link"')
}

async function checkModel(matter: Matter, fail: Say, warn: Say): Promise<void> {
  for (const key of ['base_model', 'datasets', 'new_version'])
    for (const id of words(matter[key]))
      if (!REPO_ID.test(id)) fail(`"${key}" with value "${shown(id)}" is not a repo id`)
  for (const relation of words(matter['base_model_relation']))
    if (!RELATIONS.includes(relation)) fail(`"base_model_relation" must be one of [${RELATIONS.join(', ')}]`)
  checkModelIndex(matter['model-index'], fail)
  const vocabulary = await loadVocabulary()
  const task = words(matter['pipeline_tag'])[0]
  if (task !== undefined && !vocabulary.tasks.has(task))
    warn(`"pipeline_tag" with value "${shown(task)}" is not known`)
  const library = words(matter['library_name'])[0]
  if (library !== undefined && !vocabulary.libraries.has(library))
    warn(`"library_name" with value "${shown(library)}" is not known`)
}

function checkModelIndex(value: unknown, fail: Say): void {
  if (value === undefined || value === null) return
  if (!Array.isArray(value)) return fail('"model-index" must be a list')
  value.forEach((model: unknown, i) => {
    const at = `"model-index[${i}]`
    if (!has(model, 'name')) fail(`${at}.name" is required`)
    const results = field(model, 'results')
    if (!Array.isArray(results)) return fail(`${at}.results" is required`)
    results.forEach((result: unknown, n) => checkResult(result, `${at}.results[${n}]`, fail))
  })
}

function checkResult(result: unknown, at: string, fail: Say): void {
  const need = (value: unknown, name: string, of: string) => {
    if (!has(value, name)) fail(`${at}.${of}${name}" is required`)
  }
  need(field(result, 'task'), 'type', 'task.')
  need(field(result, 'dataset'), 'type', 'dataset.')
  need(field(result, 'dataset'), 'name', 'dataset.')
  const metrics = field(result, 'metrics')
  if (!Array.isArray(metrics)) return fail(`${at}.metrics" is required`)
  metrics.forEach((metric: unknown, n) => {
    need(metric, 'type', `metrics[${n}].`)
    need(metric, 'value', `metrics[${n}].`)
  })
}

function checkConfigs(matter: Matter, fail: Say): void {
  const configs = matter['configs']
  if (configs === undefined || configs === null) return
  if (!Array.isArray(configs)) return fail('"configs" must be a list')
  configs.forEach((config: unknown, i) => {
    if (!has(config, 'config_name')) fail(`"configs[${i}].config_name" is required`)
  })
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function has(value: unknown, name: string): boolean {
  const found = field(value, name)
  return found !== undefined && found !== null && found !== ''
}
