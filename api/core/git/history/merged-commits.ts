import { askGit, tooBusy } from '../diff/ask-git.ts'
import type { Git } from '../git.ts'
import type { Snapshot } from '../snapshot.ts'

/**
 * The commits that a merge has brought beside its first parent, each before its parents: the first `limit` of them, by sha.
 * None where git takes too long. Problem `temporarily-unavailable` while other readers keep git busy.
 */
export async function mergedCommits(
  git: Git,
  snapshot: Snapshot,
  [first, ...others]: string[],
  limit: number,
): Promise<string[]> {
  if (first === undefined || others.length === 0) return []
  const args = ['rev-list', '--topo-order', `--max-count=${limit}`, ...others, '--not', first]
  const said = await askGit(git, snapshot, args, limit * 64)
  if (said === 'busy') throw tooBusy()
  return said === 'too-much' ? [] : said.toString('latin1').split('\n').filter(Boolean)
}
