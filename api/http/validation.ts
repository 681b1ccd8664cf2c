import type { Hook } from '@hono/zod-openapi'
import { Problem, type FieldError } from '../problems/index.ts'
import type { Env } from './env.ts'

interface Issue {
  path: PropertyKey[]
  message: string
  code: string
  keys?: string[]
}

// Body fields stand alone (`new_password`); others name where they came from (`query.limit`).
function fieldErrors(target: string, issues: Issue[]): FieldError[] {
  const prefix = target === 'json' || target === 'form' ? [] : [target === 'param' ? 'path' : target]
  return issues.flatMap((issue) => {
    const at = (key?: string) =>
      [...prefix, ...issue.path.map(String), ...(key === undefined ? [] : [key])].join('.')
    if (issue.code === 'unrecognized_keys')
      return (issue.keys ?? []).map((key) => ({
        field: at(key),
        code: 'unknown-field',
        message: 'no such field',
      }))
    return [{ field: at() || 'body', code: issue.code.replaceAll('_', '-'), message: issue.message }]
  })
}

/** Refuses input that does not fit its schema, naming every faulty field. A bad path parameter names nothing that exists. */
export const validationHook: Hook<unknown, Env, string, unknown> = (result) => {
  if (result.success) return
  const errors = fieldErrors(result.target, result.error.issues as Issue[])
  if (result.target === 'param') throw new Problem('not-found', { errors })
  throw new Problem('validation-failed', {
    detail: errors.map((e) => `${e.field}: ${e.message}`).join('; '),
    errors,
  })
}
