import { createHash } from 'node:crypto'
import { parseYaml, type Parsed } from './parse.ts'
import { parseInThread } from './thread.ts'

export type { YamlFault } from './parse.ts'

/** What is parsed without a thread: the hardest text of this length takes 16 ms on one core. UTF-16 code units. */
const MAX_IN_PLACE = 4096
/** Long texts that are remembered: a client has a README checked, then commits it. */
const MAX_REMEMBERED = 4

const remembered = new Map<string, Promise<Parsed | undefined>>()

/** Reads YAML that somebody sent: the only way into the parser. Problem `temporarily-unavailable`. */
export async function readYaml(yaml: string): Promise<Parsed> {
  if (yaml.length <= MAX_IN_PLACE) return parseYaml(yaml)
  const key = createHash('sha256').update(yaml).digest('base64')
  const found = remembered.get(key) ?? parseInThread(yaml)
  // Last in the map's order, which is that of use.
  remembered.delete(key)
  remembered.set(key, found)
  for (const [oldest] of remembered) {
    if (remembered.size <= MAX_REMEMBERED) break
    remembered.delete(oldest)
  }
  try {
    const parsed = await found
    if (parsed) return parsed
    forget(key, found)
    return { fault: tooComplex }
  } catch (error) {
    forget(key, found)
    throw error
  }
}

/** A busy machine may be the reason, so the next time tries it again. */
function forget(key: string, found: Promise<unknown>): void {
  if (remembered.get(key) === found) remembered.delete(key)
}

const tooComplex = {
  code: 'yaml-too-complex',
  message:
    'The metadata block is too complex to read. Shorten it: fewer keys, fewer nested lists and maps, no aliases.',
}
