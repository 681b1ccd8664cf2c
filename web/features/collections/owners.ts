import type { Me } from '../../lib/types.ts'

/** The namespaces in which a person may make collections. */
export const ownersOf = (me: Me): string[] => [
  me.username,
  ...me.orgs.filter((org) => org.role !== 'read').map((org) => org.ns),
]
