import { isLate, tooBusy, withinBudget } from '../diff/ask-git.ts'
import type { Finding } from '../diff/remembered.ts'
import type { Git } from '../git.ts'
import { timeOfSecond } from '../objects/objects.ts'
import type { GitOrder } from '../runner/runner.ts'
import type { Snapshot } from '../snapshot.ts'
import { accountsByCommit } from './accounts.ts'
import { ContributorCount, type Contributors } from './contributor-count.ts'

export type { Contributor, Contributors } from './contributor-count.ts'

/** Of a longer history the newest are counted. git says 100 000 of them in about a second. */
const MAX_COMMITS = 200_000
const FIELDS = '%H%x00%ct%x00%ae%x00%an'
const FIELD_COUNT = 4

/**
 * Who made the commits that lead to `sha`, merges among them. What is not said in three seconds is left out. Problem
 * `temporarily-unavailable` while other readers keep git busy.
 */
export async function contributorsOf(git: Git, snapshot: Snapshot, sha: string): Promise<Contributors> {
  // The history of a mirror grows at its old end as well, once the whole of it is fetched.
  const key = `${snapshot.repoId}:${snapshot.shallow.size}:${sha}`
  return git.contributors.get(key, snapshot.caller, (all) =>
    countContributors(git, snapshot.readFor(all), sha),
  )
}

/** As `contributorsOf`, of the newest `max` commits; nothing is remembered. */
export async function countContributors(
  git: Git,
  snapshot: Snapshot,
  sha: string,
  max = MAX_COMMITS,
): Promise<Finding<Contributors>> {
  const args = ['log', '-z', `--format=${FIELDS}`, `--max-count=${max + 1}`, sha, '--']
  const found = await withinBudget(git, snapshot, args, (order) => count(git, snapshot, order, max))
  if (found === 'busy' || found === 'too-much') throw tooBusy()
  return found
}

async function count(
  git: Git,
  snapshot: Snapshot,
  order: GitOrder,
  max: number,
): Promise<Finding<Contributors>> {
  const counted = new ContributorCount()
  let commits = 0
  let isShallow = false
  try {
    for await (const some of commitsOf(git, order)) {
      const accounts = await accountsByCommit(
        git.deps.db,
        snapshot.repoId,
        some.map(({ sha }) => sha),
      )
      for (const { sha, ...commit } of some) {
        const isCounted = commits++ < max && counted.add({ ...commit, userId: accounts.get(sha) })
        if (!isCounted) return { value: counted.result(true), isFinal: true }
        isShallow ||= snapshot.shallow.has(sha)
      }
    }
    return { value: counted.result(isShallow), isFinal: true }
  } catch (error) {
    if (!isLate(error)) throw error
    return { value: counted.result(true), isFinal: false }
  }
}

interface SaidCommit {
  sha: string
  at: Date
  email: string
  name: string
}

/** Commits as git says them, some at a time. */
async function* commitsOf(git: Git, order: GitOrder): AsyncGenerator<SaidCommit[]> {
  let held = Buffer.alloc(0)
  let fields: string[] = []
  for await (const chunk of await git.runner.open(order)) {
    held = Buffer.concat([held, chunk])
    const end = held.lastIndexOf(0)
    if (end < 0) continue
    fields = fields.concat(held.toString('utf8', 0, end).split('\0'))
    held = held.subarray(end + 1)
    const whole = fields.length - (fields.length % FIELD_COUNT)
    const some: SaidCommit[] = []
    for (let i = 0; i < whole; i += FIELD_COUNT) {
      const [sha = '', second, email = '', name = ''] = fields.slice(i, i + FIELD_COUNT)
      some.push({ sha, at: timeOfSecond(Number(second)), email, name })
    }
    fields = fields.slice(whole)
    if (some.length > 0) yield some
  }
}
