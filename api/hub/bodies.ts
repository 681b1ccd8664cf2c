import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { Env } from '../http/env.ts'
import { requestBytes } from '../http/bytes.ts'
import { requireUnencoded } from '../http/inflated.ts'
import { requireUnicode } from '../http/json-body.ts'
import { Problem } from '../problems/index.ts'
import { collect, TooManyBytes } from '../storage/index.ts'

/** Text that both databases can hold. */
export const Text = z.string().regex(/^[^\0]*$/, 'must not contain NUL')

async function textOf(c: Context<Env>): Promise<string> {
  requireUnencoded(c)
  const limit = c.var.ctx.config.server.max_request_body
  try {
    return (await collect(requestBytes(c), limit)).toString('utf8')
  } catch (error) {
    if (error instanceof TooManyBytes)
      throw new Problem('body-too-large', { detail: `The body may have at most ${limit} bytes.` })
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid-request', { detail: 'The body is not JSON.' })
  }
}

function parse(text: string): unknown {
  const body = text.trim() === '' ? {} : parsed(text)
  requireUnicode(text, body)
  return body
}

/** Fields of a form, repeated ones as lists. */
function formFields(text: string): Record<string, unknown> {
  const form = new URLSearchParams(text)
  const names = [...new Set(form.keys())]
  return Object.fromEntries(names.map((name) => [name.replace(/\[\]$/, ''), form.getAll(name)]))
}

/**
 * The body of a hub call by its schema; unknown fields are ignored there. A missing body is `{}`; a form's fields are
 * lists (hub-wire.md §1.1). Problem `invalid-request` names what does not fit.
 */
export async function bodyOf<S extends z.ZodType>(c: Context<Env>, schema: S): Promise<z.output<S>> {
  const text = await textOf(c)
  const isForm = c.req.header('Content-Type')?.startsWith('application/x-www-form-urlencoded')
  return fit(schema, isForm ? formFields(text) : parse(text))
}

/** `value` by its schema, or Problem `invalid-request`. */
export function fit<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const fitted = schema.safeParse(value)
  if (fitted.success) return fitted.data
  const faults = fitted.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || 'body'}: ${issue.message}`,
  )
  throw new Problem('invalid-request', { detail: faults.slice(0, 10).join('; ') })
}
