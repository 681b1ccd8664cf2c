import { MAX_PARENTS_TOLD, type CommitRecord } from './commit-records.ts'
import { isLate } from '../diff/ask-git.ts'
import type { HistoryQuery } from './history-query.ts'
import type { Git } from '../git.ts'
import { splitMessage } from '../objects/objects.ts'
import { oidFromHex } from '../objects/oid.ts'
import type { GitOrder } from '../runner/runner.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'

/*
 * What the history index does not know yet, asked of git itself (git-storage.md §6.8): while a long history that was
 * pushed is being entered. Readers wait for two seconds at most.
 */
const BUDGET_MS = 2000
const MARK = '\x01'

/** As `listCommits`. What takes too long is left out, and counted as far as is known. */
export async function listByGit(
  git: Git,
  snapshot: Snapshot,
  { sha, path, after, offset = 0, limit }: HistoryQuery,
): Promise<{ commits: CommitRecord[]; total: number }> {
  const below = path ? ['--', path] : ['--']
  return withSkeleton(git, snapshot, async (dir) => {
    const revList = (from: string, flags: string[]) =>
      inTime(git, {
        ...readFor(snapshot),
        dir,
        args: ['rev-list', '--first-parent', ...flags, from, ...below],
      })
    // The history of a commit of the list begins with that commit.
    const skip = offset + (after === undefined ? 0 : 1)
    const [listed, counted] = await Promise.all([
      revList(after ?? sha, [`--skip=${skip}`, `--max-count=${limit}`]),
      revList(sha, ['--count']),
    ])
    const shas = listed?.split('\n').filter(Boolean) ?? []
    const commits = await recordsOf(snapshot, shas)
    const known = commits.length === 0 ? 0 : offset + commits.length
    return { commits, total: counted === undefined ? known : Math.max(known, Number(counted)) }
  })
}

/** As `lastCommits`; names that are not found in time are missing. */
export async function lastByGit(
  git: Git,
  snapshot: Snapshot,
  { sha, dir: folder, names }: { sha: string; dir: string; names: string[] },
): Promise<Map<string, CommitRecord>> {
  const wanted = new Set(names)
  const found = new Map<string, string>()
  const format = ['--raw', '-z', '--no-abbrev', '--no-renames', '-m', '--first-parent', `--format=${MARK}%H`]
  await withSkeleton(git, snapshot, async (dir) => {
    const args = ['log', ...format, sha, '--', ...(folder === '' ? [] : [folder])]
    for await (const { commit, path } of changesOf(git, {
      ...readFor(snapshot),
      dir,
      args,
      timeoutMs: BUDGET_MS,
    })) {
      const name = path.slice(folder === '' ? 0 : folder.length + 1).split('/', 1)[0] ?? ''
      if (wanted.delete(name)) found.set(name, commit)
      if (wanted.size === 0) break
    }
  })
  const records = await recordsOf(snapshot, [...new Set(found.values())])
  const bySha = new Map(records.map((record) => [record.sha, record]))
  return new Map(
    [...found].flatMap(([name, commit]) => {
      const record = bySha.get(commit)
      return record ? [[name, record]] : []
    }),
  )
}

const readFor = ({ caller: { signal } }: Snapshot) => ({ kind: 'read' as const, ...(signal && { signal }) })

/** NUL ends each field: the mark and a commit, then for each path `:<modes> <oids> <status>` and the path. */
async function* changesOf(git: Git, order: GitOrder): AsyncGenerator<{ commit: string; path: string }> {
  let commit = ''
  let isPath = false
  for await (const field of fieldsOf(git, order)) {
    if (isPath) yield { commit, path: field }
    else if (field.startsWith(MARK)) commit = field.slice(1)
    isPath = !isPath && field.trimStart().startsWith(':')
  }
}

/** Those that come in time. */
async function* fieldsOf(git: Git, order: GitOrder): AsyncGenerator<string> {
  let held = Buffer.alloc(0)
  try {
    for await (const chunk of await git.runner.open(order)) {
      held = Buffer.concat([held, chunk])
      let at = 0
      for (let end = held.indexOf(0); end >= 0; end = held.indexOf(0, at)) {
        yield held.toString('utf8', at, end)
        at = end + 1
      }
      held = held.subarray(at)
    }
  } catch (error) {
    if (!isLate(error)) throw error
  }
}

async function inTime(git: Git, order: GitOrder): Promise<string | undefined> {
  try {
    return (await git.runner.run({ ...order, timeoutMs: BUDGET_MS })).toString('latin1')
  } catch (error) {
    if (isLate(error)) return undefined
    throw error
  }
}

async function recordsOf({ reader }: Snapshot, shas: string[]): Promise<CommitRecord[]> {
  const records: CommitRecord[] = []
  for (const sha of shas) {
    const commit = await reader.findCommit(oidFromHex(sha))
    if (!commit) continue
    const { author, committer, message } = commit
    const parents = commit.parents.slice(0, MAX_PARENTS_TOLD).map((oid) => oid.toString('hex'))
    records.push({ sha, parents, author, committer, ...splitMessage(message) })
  }
  return records
}
