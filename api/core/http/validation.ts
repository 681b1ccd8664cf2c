import type { Hook, z } from '@hono/zod-openapi'
import { Problem, type FieldError } from '../../platform/problems/index.ts'
import type { Env } from './env.ts'

/** What a schema found wrong at one place, as zod tells it. */
export interface Issue {
  path: PropertyKey[]
  message: string
  code: string
  keys?: string[]
}

/** A person fixes no more at once, and a body may have thousands. */
const MAX_ERRORS = 20
/** Enough to find the place by; a name in a body may be as long as the body. */
const MAX_FIELD_LENGTH = 500

/** Every faulty field, one by one; of strict objects also each field that they do not have. */
function* fieldErrors(prefix: string[], issues: Iterable<Issue>): Generator<FieldError> {
  const at = (issue: Issue, key: string[] = []) =>
    [...prefix, ...issue.path.map(String), ...key].join('.').slice(0, MAX_FIELD_LENGTH)
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys ?? [])
        yield { field: at(issue, [key]), code: 'unknown-field', message: 'no such field' }
    else yield { field: at(issue) || 'body', code: issue.code.replaceAll('_', '-'), message: issue.message }
}

/** The first 20 faulty fields, one by one and in one text that says how many more there are. */
export function faultsOf(
  issues: Iterable<Issue>,
  prefix: string[] = [],
): { detail: string; errors: FieldError[] } {
  const errors: FieldError[] = []
  let more = 0
  for (const error of fieldErrors(prefix, issues))
    if (errors.length < MAX_ERRORS) errors.push(error)
    else more++
  const parts = errors.map(({ field, message }) => `${field}: ${message}`)
  if (more > 0) parts.push(`and ${more} more`)
  return { detail: parts.join('; '), errors }
}

/** `value` by its schema; Problem `validation-failed` naming the fields. */
export function requireFit<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new Problem('validation-failed', faultsOf(read.error.issues))
}

/** Refuses input that does not fit its schema, naming every faulty field. A bad path parameter names nothing that exists. */
export const validationHook: Hook<unknown, Env, string, unknown> = ({ target, ...result }) => {
  if (result.success) return
  // Body fields stand alone (`new_password`); others name where they came from (`query.limit`).
  const prefix = target === 'json' || target === 'form' ? [] : [target === 'param' ? 'path' : target]
  const { detail, errors } = faultsOf(result.error.issues as Issue[], prefix)
  if (target === 'param') throw new Problem('not-found', { errors })
  throw new Problem('validation-failed', { detail, errors })
}
