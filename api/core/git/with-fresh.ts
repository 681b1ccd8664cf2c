import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../platform/problems/index.ts'
import type { Git } from './git.ts'
import { StaleSnapshot } from './refs/move-ref.ts'
import type { Snapshot } from './snapshot.ts'

const MIN_ATTEMPTS = 5
// Turns are taken within a process alone: where several write to one branch, five can be lost in a row.
const RACE_MS = 30_000
const LONGEST_PAUSE_MS = 200

/** Whether somebody was faster, so that a change may still be made on a fresh view. */
export function isLostRace(error: unknown): boolean {
  return error instanceof StaleSnapshot || (error instanceof Problem && error.code === 'commit-conflict')
}

/**
 * Runs a change of refs on the repo as it is now, and again on a fresh view when it was lost to somebody faster: 5 times,
 * and for half a minute at least. Then, and for any other reason, it throws what the change threw.
 */
export async function withFresh<T>(
  git: Git,
  repoId: string,
  change: (snapshot: Snapshot) => Promise<T>,
  isLost: (error: unknown) => boolean = isLostRace,
): Promise<T> {
  const until = performance.now() + RACE_MS
  for (let attempt = 1; ; attempt++) {
    const snapshot = await (attempt === 1 ? git.open(repoId) : git.openFresh(repoId))
    try {
      return await change(snapshot)
    } catch (error) {
      const isOver = attempt >= MIN_ATTEMPTS && performance.now() > until
      if (isOver || !isLost(error)) throw error
    }
    await pause(Math.random() * Math.min(20 * attempt, LONGEST_PAUSE_MS))
  }
}
