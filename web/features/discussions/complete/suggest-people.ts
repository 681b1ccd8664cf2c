import { api } from '../../../lib/api.ts'

/** People and organisations whose names a text may begin. */
export async function suggestPeople(q: string, signal: AbortSignal) {
  const { namespaces } = await api.search({ query: { q, types: 'namespaces', limit: 20 } }, { signal })
  return namespaces
}
