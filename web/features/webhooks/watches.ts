import type { Webhook } from './queries.ts'

type Watch = Webhook['watched'][number]

/** As people write it: `acme` for a namespace, `models/acme/tiny` for a repo. */
export const textOf = (watch: Watch): string =>
  'ns' in watch ? watch.ns : `${watch.repo.type}s/${watch.repo.ns}/${watch.repo.name}`

/** What was written, as it is sent; a repo without its kind is a model. */
export function watchOf(text: string): Watch {
  const parts = text.split('/').filter(Boolean)
  const isTyped = parts.length > 2
  const [ns = '', name] = isTyped ? parts.slice(1) : parts
  if (name === undefined) return { ns }
  return { repo: { type: isTyped && parts[0]?.startsWith('dataset') ? 'dataset' : 'model', ns, name } }
}
