import { Composer, LineCounter } from 'yaml'
import { tokensOf } from './nesting.ts'
import { withoutStacks } from './stackless.ts'
import { MAX_DEPTH, Plain, Refused, tooDeep } from './plain.ts'

/** Why YAML cannot be read; `message` is for its author. */
export interface YamlFault {
  code: string
  message: string
}

/** What YAML says as JSON would, or why it cannot be read. */
export type Parsed = { value: unknown } | { fault: YamlFault }

/** Messages of the parser repeat what they object to. */
const MAX_MESSAGE_LENGTH = 300

const options = {
  version: '1.2',
  schema: 'core',
  prettyErrors: false,
  // Compares each key with all before it: 64 KiB of short keys take 4 s. Plain has a set of them.
  uniqueKeys: false,
  // Without it `!!binary` and `!!timestamp` become objects that JSON has no form for.
  resolveKnownTags: false,
  logLevel: 'silent',
} as const

/**
 * Reads YAML 1.2 with the core schema in time and memory linear in its length. The text is a card's front matter, which
 * begins in the second line of its file.
 */
export function parseYaml(yaml: string): Parsed {
  const lines = new LineCounter()
  const invalid = (offset: number, message: string): Parsed => {
    const text = `Line ${lines.linePos(offset).line + 1}: ${message}`
    return { fault: { code: 'yaml-invalid', message: text.slice(0, MAX_MESSAGE_LENGTH) } }
  }
  try {
    const tokens = tokensOf(yaml, MAX_DEPTH, lines)
    if (!tokens) throw tooDeep()
    const documents = withoutStacks(() => [...new Composer(options).compose(tokens, true, yaml.length)])
    const [document, second] = documents
    const error = document?.errors[0]
    if (error) return invalid(error.pos[0], error.message)
    if (second) return invalid(second.range[0], 'The metadata block must be one document.')
    return { value: new Plain().of(document?.contents ?? null) }
  } catch (error) {
    if (error instanceof Refused && error.offset !== undefined) return invalid(error.offset, error.message)
    const reason = error instanceof Refused ? error.message : 'it cannot be read'
    return { fault: { code: 'yaml-unsafe', message: `The metadata block is refused: ${reason}` } }
  }
}
