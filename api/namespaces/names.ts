import { nameFault, reservedNamespaces } from '../../shared/vocabulary.ts'
import { Problem } from '../problems/index.ts'

const reserved = new Set<string>(reservedNamespaces)

/** Names are unique case-insensitively; they are compared by this. */
export const nameKey = (name: string): string => name.toLowerCase()

/** Throws Problem `invalid-name` on `field` unless a user or Organisation may be called `name`. */
export function checkNamespaceName(field: string, name: string): void {
  const fault = nameFault(name) ?? (reserved.has(nameKey(name)) ? 'this name is reserved' : undefined)
  if (fault === undefined) return
  throw new Problem('invalid-name', {
    detail: `${field}: ${fault}`,
    errors: [{ field, code: 'invalid-name', message: fault }],
  })
}
