import type { MiddlewareHandler } from 'hono'
import { invalidField, Problem } from '../problems/index.ts'
import { requireUnencoded } from './inflated.ts'

const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
// JSON can write half of a surrogate pair; UTF-8, and so files and databases, cannot.
const perhapsIllFormed = /\\ud[89a-f]/i
const isIllFormed = /\p{Cs}/u

/**
 * Guards an operation with a JSON body: Problem `unsupported-media-type` for a body of another type, which would read
 * as an empty one and an update by it as done, and for a compressed one; `validation-failed` for text that is no Unicode.
 */
export const jsonBody: MiddlewareHandler = async (c, next) => {
  if (!isJson.test(c.req.header('Content-Type') ?? ''))
    throw new Problem('unsupported-media-type', { detail: 'Send the body as application/json.' })
  requireUnencoded(c)
  if (perhapsIllFormed.test(await c.req.text())) refuseIllFormed(await parsed(c.req.json()))
  await next()
}

/** As `jsonBody`, where the body may be left out. */
export const optionalJsonBody: MiddlewareHandler = async (c, next) => {
  const isAbsent = c.req.header('Content-Type') === undefined && (await c.req.text()) === ''
  await (isAbsent ? next() : jsonBody(c, next))
}

async function parsed(body: Promise<unknown>): Promise<unknown> {
  return body.catch((cause: unknown) => {
    throw new Problem('invalid-request', { detail: 'The body is not JSON.', cause })
  })
}

/** Enough to find the place by. */
const maxFieldLength = 500

function below(field: string, name: string): string {
  if (field === 'body') return name
  return field.length > maxFieldLength ? field : `${field}.${name}`
}

/** Problem `validation-failed`, naming the field, where `body`, which was read from `text`, holds what is no Unicode. */
export function requireUnicode(text: string, body: unknown): void {
  if (perhapsIllFormed.test(text)) refuseIllFormed(body)
}

function refuseIllFormed(body: unknown): void {
  // A list instead of recursion: bodies may be nested deeper than the stack.
  const waiting: [unknown, string][] = [[body, 'body']]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, field] = next
    if (typeof value === 'string' && isIllFormed.test(value))
      throw invalidField(field, 'must be Unicode, without halves of surrogate pairs')
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (isIllFormed.test(name)) throw invalidField(field, 'must have Unicode names')
      waiting.push([member, below(field, name)])
    }
  }
}
