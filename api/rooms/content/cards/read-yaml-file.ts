import { readText } from '../commit/attributes.ts'
import type { Revision } from '../read/revision.ts'
import { readYaml } from './yaml/read.ts'

/** As long as the metadata block of a card may be. Bytes. */
const MAX_BYTES = 64 * 1024

/** A YAML file of a commit as a map; nothing where it is not there, is too long, or is no map. */
export async function readYamlFile(
  { snapshot, commit }: Revision,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const file = await readText(snapshot, commit, path, MAX_BYTES)
  if (typeof file !== 'object') return undefined
  const parsed = await readYaml(file.text)
  if ('fault' in parsed || typeof parsed.value !== 'object' || Array.isArray(parsed.value)) return undefined
  return (parsed.value as Record<string, unknown> | null) ?? undefined
}
