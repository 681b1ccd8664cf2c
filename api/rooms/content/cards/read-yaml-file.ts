import { readText } from '../commit/attributes.ts'
import type { Revision } from '../read/revision.ts'
import { MAX_FRONT_MATTER_BYTES } from './card.ts'
import { readYaml } from './yaml/read.ts'

/** A YAML file of a commit as a map; nothing where it is not there, is too long, or is no map. */
export async function readYamlFile(
  { snapshot, commit }: Revision,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const file = await readText(snapshot, commit, path, MAX_FRONT_MATTER_BYTES)
  if (typeof file !== 'object') return undefined
  const parsed = await readYaml(file.text)
  if ('fault' in parsed || typeof parsed.value !== 'object' || Array.isArray(parsed.value)) return undefined
  return (parsed.value as Record<string, unknown> | null) ?? undefined
}
