import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { Env } from '../../../core/http/env.ts'
import { headerOf } from '../../../core/http/header.ts'
import { readJsonIfAny } from '../../../core/http/json-body.ts'
import { faultsOfLists } from '../../../core/http/long-lists.ts'
import { readBody, type BodyLimit } from '../../../core/http/request-body.ts'
import { faultsOf } from '../../../core/http/validation.ts'
import { Problem } from '../../../platform/problems/index.ts'

/** Text that both databases can hold. */
export const Text = z.string().regex(/^[^\0]*$/, 'must not contain NUL')

/** More than any list that clients send as a form. */
const MAX_FORM_FIELDS = 32_000

function requireFewFields(text: string): void {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1))
    if (++count > MAX_FORM_FIELDS)
      throw new Problem('body-too-large', { detail: `A form may have at most ${MAX_FORM_FIELDS} fields.` })
}

/** Fields of a form, repeated ones as lists. */
function formFields(text: string): Record<string, string[]> {
  requireFewFields(text)
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const bare = name.replace(/\[\]$/, '')
    const values = fields.get(bare)
    if (values) values.push(value)
    else fields.set(bare, [value])
  }
  return Object.fromEntries(fields)
}

async function valueOf(c: Context<Env>, limit: BodyLimit): Promise<unknown> {
  if (headerOf(c, 'content-type')?.startsWith('application/x-www-form-urlencoded'))
    // Clients send no large forms, and one is parsed in one go.
    return formFields((await readBody(c, { size: limit.size })).toString('utf8'))
  const value = await readJsonIfAny(c, limit)
  return value === undefined ? {} : value
}

/**
 * The body of a hub call by its schema; unknown fields are ignored there. A missing body is `{}`; a form's fields are
 * lists (hub-wire.md §1.1). Problem `invalid-request` names what does not fit.
 */
export async function bodyOf<S extends z.ZodType>(
  c: Context<Env>,
  schema: S,
  limit: BodyLimit = {},
): Promise<z.output<S>> {
  const value = await valueOf(c, limit)
  const faults = await faultsOfLists(schema, value)
  if (faults) throw new Problem('invalid-request', { detail: faults.detail })
  return fit(schema, value)
}

/** `value` by its schema, or Problem `invalid-request`. */
export function fit<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const fitted = schema.safeParse(value)
  if (fitted.success) return fitted.data
  throw new Problem('invalid-request', { detail: faultsOf(fitted.error.issues).detail })
}
