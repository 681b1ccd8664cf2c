import { invalidField, Problem } from '../../platform/problems/index.ts'
import { below, readInPieces } from './json-pieces.ts'
import { LONG_BYTES, shapeOf } from './json-shape.ts'

/** How many values and names a body of JSON may hold: ten times what a list of 500 items needs. */
export const USUAL_VALUES = 32_000
/** A commit of 25 000 files needs 125 000 to 200 000. */
export const LARGE_VALUES = 250_000

/**
 * What the bytes of JSON say; `undefined` where they are blank. Long ones are read piece by piece, so that others have
 * their turn of the event loop. `what` names them to the caller. Problems: those of `shapeOf`, `invalid-request` for what is
 * no JSON, `validation-failed` for text that is no Unicode.
 */
export async function jsonValue(bytes: Buffer, maxValues: number, what = 'The body'): Promise<unknown> {
  const shape = await shapeOf(bytes, maxValues)
  const check = shape.hasSurrogates ? refuseIllFormed : () => undefined
  const json = withoutMark(bytes)
  const parse = (text: string) => parseJson(text, what)
  if (json.length > LONG_BYTES)
    return readInPieces({ bytes, from: bytes.length - json.length, long: shape.long, parse, check })
  const text = json.toString('utf8')
  if (text.trim() === '') return undefined
  const value = parse(text)
  check(value, '')
  return value
}

/** What `text` says; Problem `invalid-request` where it is no JSON.  */
function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Problem('invalid-request', { detail: `${what} is not JSON.`, cause })
  }
}

/** As fetch reads a text: without a byte order mark. */
const withoutMark = (bytes: Buffer) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

const isIllFormed = /\p{Cs}/u

// UTF-8, and so files and databases, cannot hold half of a surrogate pair.
function refuseIllFormed(value: unknown, field = ''): void {
  if (typeof value === 'string' && isIllFormed.test(value))
    throw invalidField(field || 'body', 'must be Unicode, without halves of surrogate pairs')
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (isIllFormed.test(name)) throw invalidField(field || 'body', 'must have Unicode names')
    refuseIllFormed(member, below(field, name))
  }
}
