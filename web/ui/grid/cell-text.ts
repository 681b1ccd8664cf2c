import type { FeatureType } from '../../../shared/viewer.ts'
import { stringifyExact } from '../../lib/exact-json.ts'
import { kindOf, labelNames } from './feature-types.ts'

/** Characters of a cell that a row of the table shows at most; the rest would be out of sight. */
const shownCharacters = 400

/** One message of a conversation. */
export interface ChatMessage {
  role: string
  text: string
}

/** A cell as one line of text. */
export function cellText(value: unknown, type: FeatureType): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.slice(0, shownCharacters)
  if (kindOf(type) === 'label') return labelText(value, type)
  if (typeof value !== 'object') return String(value)
  const messages = chatOf(value)
  if (messages)
    return messages
      .map(({ role, text }) => `${role}: ${text}`)
      .join('  ·  ')
      .slice(0, shownCharacters)
  return stringifyExact(value).slice(0, shownCharacters)
}

/** A label's name; its number where it has none, as -1 for no label. */
export function labelText(value: unknown, type: FeatureType): string {
  const name = labelNames(type)[Number(value)]
  return name ?? String(value)
}

/** A cell in full, for the clipboard and for files. */
export function wholeText(value: unknown, indent = 0): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? stringifyExact(value, indent) : String(value)
}

/** The messages of a conversation as chat models take them, `[{role, content}]` or `[{from, value}]`; else `undefined`. */
export function chatOf(value: unknown): ChatMessage[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const messages = value.map(messageOf)
  return messages.every((message) => message !== undefined) ? messages : undefined
}

function messageOf(value: unknown): ChatMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { role, content, from, value: said } = value as Record<string, unknown>
  const speaker = role ?? from
  const text = contentText(role === undefined ? said : content)
  return typeof speaker === 'string' && text !== undefined ? { role: speaker, text } : undefined
}

/** A message's text; of parts such as `{type: "text", text}` those that are text, and the names of the others. */
function contentText(content: unknown): string | undefined {
  if (content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content
    .map((part: unknown) => {
      const { type, text } = (typeof part === 'object' && part !== null ? part : {}) as Record<
        string,
        unknown
      >
      return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'part'}]`
    })
    .join('\n')
}

/** What an image, a sound or a video cell is fetched from; `undefined` where there is none. */
export interface MediaSource {
  src: string
  width?: number
  height?: number
}

/** The source of a media cell. Audio cells are lists of sources, of which the first is taken. */
export function mediaOf(value: unknown): MediaSource | undefined {
  const source: unknown = Array.isArray(value) ? value[0] : value
  if (typeof source !== 'object' || source === null) return undefined
  const { src, width, height } = source as Record<string, unknown>
  if (typeof src !== 'string') return undefined
  return {
    src,
    ...(typeof width === 'number' && typeof height === 'number' ? { width, height } : {}),
  }
}

/** Whether a source is on this server: what is elsewhere is not loaded by itself. */
export function isOurs(src: string): boolean {
  try {
    return new URL(src, location.href).origin === location.origin
  } catch {
    return false
  }
}
