import type { UseFormReturnType } from '@mantine/form'
import { ApiProblem } from '../../shared/client.ts'

/**
 * Puts a refused request's faults at the form's fields, and answers what belongs to no field:
 * the text to show above the form, or `undefined` when every fault found its place.
 */
export function showProblem<V extends Record<string, unknown>>(
  form: UseFormReturnType<V>,
  error: unknown,
): string | undefined {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error)
  const known = error.errors.filter((fault) => fault.field in form.getValues())
  for (const fault of known) form.setFieldError(fault.field, fault.message)
  if (known.length > 0 && known.length === error.errors.length) return undefined
  const others = error.errors.filter((fault) => !known.includes(fault))
  const rest = others.map((fault) => `${fault.field}: ${fault.message}`).join('; ')
  return rest || error.detail || error.title
}

/** A failure in one sentence. */
export function problemText(error: unknown): string {
  if (error instanceof ApiProblem) return error.detail ?? error.title
  return error instanceof Error ? error.message : String(error)
}
