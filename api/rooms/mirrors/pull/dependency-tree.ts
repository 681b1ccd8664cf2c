import { eq, inArray } from 'drizzle-orm'
import { inBatches, type Tx } from '../../../stores/db/index.ts'
import type { PullInput } from './ticket.ts'

/** A tree of dependencies that is larger is a mistake, or made on purpose. */
export const MAX_NODES = 200
/** What a pull lists of what did not come. */
const MAX_WARNINGS = 200

/** How a repo is known in a tree; upstreams do not tell cases apart. */
export const nodeKey = ({ type, name }: Pick<PullInput, 'type' | 'name'>): string =>
  `${type}/${name}`.toLowerCase()

/** The repos that a pull and those below it bring, by `nodeKey`. Until the transaction ends no other adds to them. */
export async function listTree(tx: Tx, root: string): Promise<Set<string>> {
  const { pulls: p, jobs } = tx.t
  await lockRoot(tx, root)
  const found = new Set<string>()
  const ids = new Set<string>()
  for (let level = [root]; level.length > 0 && found.size <= MAX_NODES;) {
    for (const id of level) ids.add(id)
    const inputs = await inBatches(level, (some) =>
      tx.q.select({ input: jobs.input }).from(jobs).where(inArray(jobs.id, some)),
    )
    for (const { input } of inputs) found.add(nodeKey(input as PullInput))
    const below = await inBatches(level, (some) =>
      tx.q.select({ id: p.job_id }).from(p).where(inArray(p.parent_id, some)),
    )
    level = below.map(({ id }) => id).filter((id) => !ids.has(id))
  }
  return found
}

export const isFull = (tree: ReadonlySet<string>): boolean => tree.size >= MAX_NODES

/** Two that add to a tree at once wait for each other, on Postgres too; answers what the root lists by now. */
async function lockRoot({ q, t: { pulls: p } }: Tx, root: string): Promise<string[] | undefined> {
  const [row] = await q.update(p).set({ parent_id: p.parent_id }).where(eq(p.job_id, root)).returning()
  return row?.warnings
}

/** Notes on a pull what did not come, and why. */
export async function addWarnings(tx: Tx, root: string, warnings: readonly string[]): Promise<void> {
  const { pulls: p } = tx.t
  const before = await lockRoot(tx, root)
  if (!before) return
  const all = [...new Set([...before, ...warnings])].slice(0, MAX_WARNINGS)
  await tx.q.update(p).set({ warnings: all }).where(eq(p.job_id, root))
}
