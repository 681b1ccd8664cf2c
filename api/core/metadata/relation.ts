import { relations, type Findings, type Relation } from './findings.ts'
import { distinct, words } from './words.ts'

const quantizedTags = ['gptq', 'awq']

/** The models that a model comes from, by its card, else by its files, and what it is to them (indexing.md §4). */
export function basesOf(
  matter: Record<string, unknown>,
  found: Findings,
): { bases: string[]; relation: Relation } {
  const written = words(matter['base_model'])
  const adapted = found.needs.flatMap(({ kind, repo }) => (kind === 'adapter_base' ? [repo] : []))
  const bases = distinct(written.length > 0 ? written : [...adapted, ...found.baseModels])
  return { bases, relation: relationOf(matter, found, bases.length) }
}

function relationOf(matter: Record<string, unknown>, found: Findings, count: number): Relation {
  const stated = words(matter['base_model_relation'])[0]
  const known = relations.find((relation) => relation === stated)
  if (known) return known
  const tags = words(matter['tags'])
  const isPeft = words(matter['library_name'])[0] === 'peft' || tags.includes('peft')
  if (isPeft || found.relation === 'adapter') return 'adapter'
  if (count > 1 || tags.includes('merge') || found.relation === 'merge') return 'merge'
  const isQuantized = tags.some((tag) => quantizedTags.includes(tag.toLowerCase()))
  return isQuantized || found.relation === 'quantized' ? 'quantized' : 'finetune'
}
