import { nameFault, reservedNamespaces } from '../../../shared/vocabulary.ts'
import { Problem } from '../../platform/problems/index.ts'

const reserved = new Set<string>(reservedNamespaces)

/** Names are unique case-insensitively; they are compared by this. */
export const nameKey = (name: string): string => name.toLowerCase()

const faultOf = (name: string): string | undefined =>
  nameFault(name) ?? (reserved.has(nameKey(name)) ? 'this name is reserved' : undefined)

/** Whether a user or organisation may be called `name`. */
export const nameIsAllowed = (name: string): boolean => faultOf(name) === undefined

/** Throws Problem `invalid-name` on `field` unless a user or organisation may be called `name`. */
export function checkNamespaceName(field: string, name: string): void {
  const fault = faultOf(name)
  if (fault === undefined) return
  throw new Problem('invalid-name', {
    detail: `${field}: ${fault}`,
    errors: [{ field, code: 'invalid-name', message: fault }],
  })
}
