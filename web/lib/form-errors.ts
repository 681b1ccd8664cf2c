import type { FormErrors, UseFormReturnType } from '@mantine/form'
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
  focusFault(form, known)
  if (known.length > 0 && known.length === error.errors.length) return undefined
  const others = error.errors.filter((fault) => !known.includes(fault))
  const rest = others.map((fault) => `${fault.field}: ${fault.message}`).join('; ')
  return rest || error.detail || error.title
}

/** Leads to the first field at fault, in the order in which they stand. */
function focusFault<V extends Record<string, unknown>>(
  form: UseFormReturnType<V>,
  faults: { field: string }[],
): void {
  const [first] = faults
    .map(({ field }) => form.getInputNode(field))
    .filter((node) => node !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  first?.focus()
}

/** What a form does whose own checks refuse it. */
export const leadToFaults =
  <V extends Record<string, unknown>>(form: UseFormReturnType<V>) =>
  (errors: FormErrors) =>
    focusFault(
      form,
      Object.keys(errors).map((field) => ({ field })),
    )

/** What is wrong with what was given to sign in, where a refusal is of that and not of a session. */
export const refusalText = (error: unknown): string =>
  error instanceof ApiProblem ? (error.detail ?? error.title) : problemText(error)

/** A failure in one sentence. */
export function problemText(error: unknown): string {
  // The server cannot tell a session that has ended from one that never was.
  if (error instanceof ApiProblem && error.status === 401) return 'You are signed out; nothing was saved.'
  if (error instanceof ApiProblem) return error.detail ?? error.title
  return error instanceof Error ? error.message : String(error)
}
