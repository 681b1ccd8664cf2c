import { Turns } from '../../../platform/flow/index.ts'
import { isLate, tooBusy, withinBudget } from '../diff/ask-git.ts'
import type { Finding } from '../diff/remembered.ts'
import type { Git } from '../git.ts'
import { timeOfSecond } from '../objects/objects.ts'
import type { GitOrder } from '../runner/runner.ts'
import type { Snapshot } from '../snapshot.ts'
import { accountsByCommit } from './accounts.ts'
import { ContributorCount, type Contributors } from './contributor-count.ts'

export type { Contributor, Contributors } from './contributor-count.ts'

/** Of a longer history the newest are counted; git says these in about a second. */
const MAX_COMMITS = 100_000
/** What git says of so many, three times as long as is usual. */
const MAX_SAID_BYTES = 32 * 1024 * 1024
/** Commits whose accounts are looked up at once; on SQLite that keeps the thread. */
const BATCH = 200
const FIELDS = '%H%x00%ct%x00%ae%x00%an'
const FIELD_COUNT = 4

/** A history whose commits are counted. */
export interface CountedHistory {
  /** The commit that all of them lead to. */
  sha: string
  /** Whether an account may have made a commit of an author with this address here: only then it is looked up. */
  mayBeOurs: (email: string) => boolean
  /** As many of the newest are counted. */
  max?: number
}

/**
 * Who made the commits that lead to one, merges among them. What git does not say in three seconds is left out. Problem
 * `temporarily-unavailable` while other readers keep git busy.
 */
export async function contributorsOf(
  git: Git,
  snapshot: Snapshot,
  history: Omit<CountedHistory, 'max'>,
): Promise<Contributors> {
  // The history of a mirror grows at its old end as well, once the whole of it is fetched.
  const key = `${snapshot.repoId}:${snapshot.shallow.size}:${history.sha}`
  return git.contributors.get(key, snapshot.caller, (all) =>
    countContributors(git, snapshot.readFor(all), history),
  )
}

/** As `contributorsOf`; nothing is remembered. */
export async function countContributors(
  git: Git,
  snapshot: Snapshot,
  { sha, mayBeOurs, max = MAX_COMMITS }: CountedHistory,
): Promise<Finding<Contributors>> {
  const args = ['log', '-z', `--format=${FIELDS}`, `--max-count=${max + 1}`, sha, '--']
  const said = await withinBudget(git, snapshot, args, (order) => readInTime(git, order))
  if (said === 'busy' || said === 'too-much') throw tooBusy()
  const turns = new Turns(snapshot.caller)
  const counted = new ContributorCount()
  let isPartial = said.end !== 'whole'
  let commits = 0
  for (const some of batchesOf(said.bytes)) {
    await turns.breathe()
    const ours = some.filter(({ email }) => mayBeOurs(email)).map((commit) => commit.sha)
    const accounts = await accountsByCommit(git.deps.db, snapshot.repoId, ours)
    for (const commit of some) {
      const isCounted = commits++ < max && counted.add({ ...commit, userId: accounts.get(commit.sha) })
      isPartial ||= !isCounted || snapshot.shallow.has(commit.sha)
    }
  }
  return { value: counted.result(isPartial), isFinal: said.end !== 'late' }
}

interface Said {
  bytes: Buffer
  end: 'whole' | 'long' | 'late'
}

/** What git says until its time is over. It does not wait for what is made of that. */
async function readInTime(git: Git, order: GitOrder): Promise<Said> {
  const chunks: Uint8Array[] = []
  const ended = (end: Said['end']) => ({ bytes: Buffer.concat(chunks), end })
  let length = 0
  try {
    for await (const chunk of await git.runner.open(order)) {
      chunks.push(chunk)
      length += chunk.length
      if (length > MAX_SAID_BYTES) return ended('long')
    }
    return ended('whole')
  } catch (error) {
    if (!isLate(error)) throw error
    return ended('late')
  }
}

interface SaidCommit {
  sha: string
  at: Date
  email: string
  name: string
}

/** The commits that were said to their end. */
function* batchesOf(said: Buffer): Generator<SaidCommit[]> {
  let batch: SaidCommit[] = []
  let fields: string[] = []
  for (let at = 0, end = said.indexOf(0); end >= 0; at = end + 1, end = said.indexOf(0, at)) {
    if (fields.push(said.toString('utf8', at, end)) < FIELD_COUNT) continue
    const [sha = '', second, email = '', name = ''] = fields
    fields = []
    if (batch.push({ sha, at: timeOfSecond(Number(second)), email, name }) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
