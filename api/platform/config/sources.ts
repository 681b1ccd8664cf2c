import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { suggestion } from './faults.ts'
import { keys, namePattern, type Key } from './keys.ts'
import type { Raw } from './raw.ts'

/** Variables that begin like ours and are no keys. */
const notKeys = ['SERVICE_CONFIG']

export function readFile(raw: Raw, file: string): void {
  const source = `file ${file}`
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    raw.fault('--config', source, `cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return
  }
  const document = parseDocument(text)
  for (const error of document.errors) {
    raw.fault('--config', `${source}, line ${error.linePos?.[0].line ?? '?'}`, `is not YAML: ${error.code}`)
  }
  if (document.errors.length > 0) return
  const tree: unknown = document.toJS()
  if (typeof tree === 'object' && tree !== null && !Array.isArray(tree))
    raw.merge(tree as Record<string, unknown>, source)
  else if (tree !== null) raw.fault('--config', source, 'must be a mapping of sections')
}

/** Looks names up from the keys, for `SERVICE_SERVER_MAX_REQUEST_BODY` cannot be split without them. */
export function readEnvironment(
  raw: Raw,
  env: Record<string, string | undefined>,
  settings: string[] = [],
): void {
  const known = keys().filter((key) => key.env !== undefined)
  const patterns = known.map((key) => ({
    key,
    pattern: new RegExp(`^${key.env?.replace('<ID>', '([A-Z0-9_]+)')}$`),
  }))
  const ids = [...Object.keys(raw.get(['upstreams']) ?? {}), ...settings.flatMap(idOf)]
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('SERVICE_') || value === undefined || notKeys.includes(name)) continue
    const source = `environment variable ${name}`
    const hit = patterns
      .map(({ key, pattern }) => ({ key, match: pattern.exec(name) }))
      .find(({ match }) => match)
    if (hit?.match) setText(raw, hit.key, hit.match[1] && idMeant(hit.match[1], ids), value, source)
    else
      raw.fault(
        name,
        source,
        `no such key${suggestion(
          name,
          known.map((key) => key.env ?? ''),
        )}`,
      )
  }
}

const idOf = (setting: string) => /^upstreams\.([^.=]+)\./.exec(setting)?.[1] ?? []

/** The upstream id in a variable's name, which cannot hold `-`: its `_` stands for that where the other sources have it. */
function idMeant(inName: string, ids: string[]): string {
  const id = inName.toLowerCase()
  return ids.find((each) => each === id) ?? ids.find((each) => each.replaceAll('-', '_') === id) ?? id
}

export function readFlags(raw: Raw, settings: string[]): void {
  const known = keys().filter((key) => key.env !== undefined)
  for (const setting of settings) {
    const [name = '', ...rest] = setting.split('=')
    const source = `flag --set ${name}`
    const hit = known
      .map((key) => ({ key, match: namePattern(key.name).exec(name) }))
      .find(({ match }) => match)
    if (rest.length === 0) raw.fault(name, source, 'needs a value: --set key=value')
    else if (hit?.match) setText(raw, hit.key, hit.match[1], rest.join('='), source)
    else
      raw.fault(
        name,
        source,
        `no such key${suggestion(
          name,
          known.map((key) => key.name),
        )}`,
      )
  }
}

function setText(raw: Raw, key: Key, id: string | undefined, text: string, source: string): void {
  const path = key.path.map((name) => (name === '<id>' ? (id ?? '') : name))
  if (key.kind !== 'list of objects') return raw.set(path, text, source)
  try {
    raw.set(path, JSON.parse(text), source)
  } catch (error) {
    // The parser's own message would quote the text, which may hold a client secret.
    if (!(error instanceof SyntaxError)) throw error
    raw.fault(key.name, source, 'is not a JSON array')
  }
}
