import type { Need } from './facts.ts'
import { at, isMap, mapAt, textAt, type Json } from './values.ts'

const backboneKeys = [
  'mm_vision_tower',
  'vision_tower',
  'mm_audio_tower',
  'text_model_id',
  'vision_model_id',
  'vocoder_model_id',
]
const repoName = /^[\w.-]{1,96}(\/[\w.-]{1,96})?$/

/** Repos that a file of settings needs, by its name (indexing.md §4). Local paths and code of the own repo do not count. */
export function needsOf(name: string, config: Json): Need[] {
  const needs: Need[] = []
  const add = (kind: Need['kind'], repo: string | undefined, revision?: string) => {
    if (repo === undefined || !repoName.test(repo) || /^\.{1,2}$/.test(repo.split('/')[0] ?? '')) return
    needs.push({ kind, repo, ...(revision === undefined ? {} : { revision }) })
  }
  if (name === 'adapter_config.json')
    add('adapter_base', textAt(config, 'base_model_name_or_path'), textAt(config, 'revision'))
  for (const reference of classesOf(config)) add('code', codeRepo(reference))
  add('tokenizer', textAt(config, 'tokenizer_name') ?? textAt(config, 'tokenizer_name_or_path'))
  for (const key of backboneKeys) add('backbone', textAt(config, key))
  if (name === 'gliner_config.json') add('backbone', textAt(config, 'model_name'))
  if (at(config, 'use_pretrained_backbone') === true) add('backbone', textAt(config, 'backbone'))
  const seen = new Map(needs.map((need) => [`${need.kind} ${need.repo}`, need]))
  return [...seen.values()]
}

/** Names of classes in `auto_map`, where a tokenizer has a list of two, and of custom pipelines. */
function classesOf(config: Json): string[] {
  const pipelines = Object.values(mapAt(config, 'custom_pipelines') ?? {}).map(
    (each) => isMap(each) && at(each, 'impl'),
  )
  const values = [...Object.values(mapAt(config, 'auto_map') ?? {}).flat(), ...pipelines]
  return values.filter((value) => typeof value === 'string').slice(0, 1000)
}

/** `ns/name--module.Class` is code of that repo. */
function codeRepo(reference: string): string | undefined {
  const at = reference.indexOf('--')
  return at === -1 ? undefined : reference.slice(0, at)
}
