import type { Token } from './types.ts'

/** A token, how many tokens stand above it, and the name of the one it was made with. */
export interface PlacedToken<T> {
  token: T
  depth: number
  parent?: string
}

/** The tokens with those made by each right below it; otherwise in the order given. */
export function tokenTree<T extends Pick<Token, 'id' | 'name' | 'parent_id'>>(
  tokens: readonly T[],
): PlacedToken<T>[] {
  const known = new Set(tokens.map(({ id }) => id))
  const below = new Map<string | undefined, T[]>()
  for (const token of tokens) {
    const parent = token.parent_id !== undefined && known.has(token.parent_id) ? token.parent_id : undefined
    below.set(parent, [...(below.get(parent) ?? []), token])
  }
  const place = (of: T | undefined, depth: number): PlacedToken<T>[] =>
    (below.get(of?.id) ?? []).flatMap((token) => [
      { token, depth, ...(of && { parent: of.name }) },
      ...place(token, depth + 1),
    ])
  return place(undefined, 0)
}
