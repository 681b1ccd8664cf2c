import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../ctx.ts'
import { compact } from './compact.ts'

// git-storage.md §7, back-pressure.
const PRESSURE = 4
const MAX_WAIT_MS = 10_000

/**
 * Makes the sender of a pack wait while the repo has more than four times `git.compact_threshold` of them, since each
 * makes every read slower: until they are joined, but for 10 s at most. The compaction then continues by itself.
 */
export async function relieve({ git, config, log }: Pick<Deps, 'git' | 'config' | 'log'>, repoId: string) {
  const { packs } = await git.open(repoId)
  if (packs.length <= PRESSURE * config.git.compact_threshold) return
  const done =
    git.relief.get(repoId) ??
    compact(git, repoId)
      .then(
        () => undefined,
        (err: unknown) => log.error({ err, repo: repoId }, 'a compaction that commits wait for failed'),
      )
      .finally(() => git.relief.delete(repoId))
  git.relief.set(repoId, done)
  const over = new AbortController()
  const waited = pause(MAX_WAIT_MS, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([done, waited]).finally(() => over.abort())
}
