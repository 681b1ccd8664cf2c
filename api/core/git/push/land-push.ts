import type { Tx } from '../../../stores/db/index.ts'
import type { Problem } from '../../../platform/problems/index.ts'
import { makeLive, type PackSource, type Write } from '../packs/catalogue.ts'
import type { Git } from '../git.ts'
import { indexCommits, type ChangingCommit } from '../history/history-index.ts'
import { changingCommit, findGap, weightOf } from '../history/index-gap.ts'
import { PackIndex } from '../packs/pack-index.ts'
import type { PackRow } from '../packs/pack-row.ts'
import type { FinishedPack } from '../packs/finished-pack.ts'
import { setShallow } from '../repo-state.ts'
import type { Via } from '../refs/move-ref.ts'
import type { RefTarget } from '../refs/listener.ts'
import { moveRefs } from '../refs/move-refs.ts'
import type { Snapshot } from '../snapshot.ts'
import { withPack } from '../packs/stored-pack.ts'
import { Turns } from '../../../platform/flow/index.ts'

// git-storage.md §6.5: longer histories are entered by the job `git.index`.
const MAX_COMMITS_AT_ONCE = 2000
const MAX_ROWS_AT_ONCE = 20_000

/** One ref of a push cannot move, so that nothing moved. */
export class RefRefused extends Error {
  readonly ref: string
  readonly problem: Problem

  constructor(ref: string, problem: Problem) {
    super(`${ref}: ${problem.message}`)
    this.name = 'RefRefused'
    this.ref = ref
    this.problem = problem
  }
}

/** Refs that move together, such as the accepted part of a push. */
export interface PushLanding {
  moves: (RefTarget & { name: string })[]
  via: Via
  userId?: string
  /** Of a history that was rewritten. */
  rewritten?: ReadonlyMap<string, string>
  /** The objects that come with them; absent when all are here. */
  pack?: FinishedPack
  /** Where the history begins from then on; as before when left out. */
  shallow?: ReadonlySet<string>
  /** How the pack came to be; `receive` when left out. */
  source?: PackSource
  /** Of a job: its own transactions. */
  write?: Write
  /** Reads what the further rows of the same transaction need; `later` are the refs whose history is too long for it. */
  prepare(landed: Snapshot, later: string[]): Promise<(tx: Tx) => Promise<void>>
}

/**
 * Stores the pack, then moves all refs with everything that belongs to them in one transaction. On any error nothing is
 * visible and the pack is discarded. Throws `RefRefused`, `StaleSnapshot`.
 */
export async function landPush(
  git: Git,
  snapshot: Snapshot,
  { moves, pack, shallow, source = 'receive', write, prepare, ...by }: PushLanding,
): Promise<void> {
  const { repoId } = snapshot
  const use = async (landed: Snapshot, row?: PackRow) => {
    const { runs, later } = await planHistory(git, landed, moves)
    const alongside = await prepare(landed, later)
    await moveRefs(
      git,
      { snapshot: landed, moves, ...by },
      {
        ...(row && { before: (tx: Tx) => makeLive(tx, row) }),
        after: async (tx) => {
          if (shallow) await setShallow(tx, repoId, shallow)
          for (const { ref, commits } of runs) await indexCommits(tx, { repoId, ref }, commits)
          await alongside(tx)
        },
        ...(write && { write }),
        refused: (ref, problem) => new RefRefused(ref, problem),
      },
    )
  }
  if (!pack) return use(shallow ? snapshot.readBy(snapshot.reader.from(shallow), shallow) : snapshot)
  await withPack(git, { repoId, pack, source }, (row) =>
    use(git.openWith(snapshot, row, PackIndex.parse(pack.index, pack.sha1), shallow), row),
  )
}

interface Run {
  ref: string
  /** Oldest first. */
  commits: ChangingCommit[]
}

/** What each branch adds to the history index, as far as it is short enough to go with the push. */
async function planHistory(
  git: Git,
  landed: Snapshot,
  moves: PushLanding['moves'],
): Promise<{ runs: Run[]; later: string[] }> {
  const planned = new Set<string>()
  // Small commits are compared without leaving the thread: two thousand of them would hold up everyone else.
  const turns = new Turns()
  const runs: Run[] = []
  const later: string[] = []
  let rows = 0
  for (const { name, to } of moves) {
    if (to === undefined || name.startsWith('refs/tags/')) continue
    const max = MAX_COMMITS_AT_ONCE - planned.size
    const gap = later.length === 0 ? await findGap(git, landed, to, { max, planned }) : undefined
    const commits: ChangingCommit[] = []
    for (const oid of gap?.toReversed() ?? []) {
      if (rows > MAX_ROWS_AT_ONCE) break
      await turns.breathe()
      const commit = await changingCommit(landed, oid)
      rows += weightOf(commit)
      commits.push(commit)
      planned.add(oid.toString('hex'))
    }
    if (commits.length > 0) runs.push({ ref: name, commits })
    if (!gap || commits.length < gap.length) later.push(name)
  }
  return { runs, later }
}
