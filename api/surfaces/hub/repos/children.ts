import type { Relation } from '../../../core/metadata/index.ts'

/** A repo by the name that others need it by. */
export const keyOf = ({ ns, name }: { ns: string; name: string }): string => `${ns}/${name}`.toLowerCase()

/** How many models are made from a repo, whatever they are to it. */
export function childrenOf(
  counts: ReadonlyMap<string, Partial<Record<Relation, number>>>,
  repo: { ns: string; name: string },
): number {
  return Object.values(counts.get(keyOf(repo)) ?? {}).reduce((sum, count) => sum + count, 0)
}
